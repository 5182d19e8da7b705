// Command nfpm prints a configuration file for nfpm, made from the section nfpms of .goreleaser.yaml. With it, a
// package can be built and tested without a release:
//
//	go run ./scripts/nfpm deb PROGRAM VERSION ARCH >nfpm.yaml
//
// PROGRAM is the path of the compiled program. Run it at the top of the repository.
package main

import (
	"log"
	"os"

	"gopkg.in/yaml.v3"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("nfpm: ")
	if len(os.Args) != 5 {
		log.Fatal("want PACKAGER PROGRAM VERSION ARCH")
	}
	data, err := os.ReadFile(".goreleaser.yaml")
	if err != nil {
		log.Fatal(err)
	}
	config, err := packageConfig(data, os.Args[1], os.Args[2])
	if err != nil {
		log.Fatal(err)
	}
	config["version"], config["arch"] = os.Args[3], os.Args[4]
	if err := yaml.NewEncoder(os.Stdout).Encode(config); err != nil {
		log.Fatal(err)
	}
}

// packageConfig returns the configuration that goreleaser would pass to nfpm for packager (deb, rpm, apk), with
// program added to the contents. data is the content of .goreleaser.yaml.
func packageConfig(data []byte, packager, program string) (map[string]any, error) {
	var release struct {
		NFPMs []map[string]any `yaml:"nfpms"`
	}
	if err := yaml.Unmarshal(data, &release); err != nil {
		return nil, err
	}
	p := release.NFPMs[0]
	config := map[string]any{"name": p["package_name"], "depends": p["dependencies"]}
	for _, key := range []string{"vendor", "homepage", "maintainer", "description", "license", "section"} {
		config[key] = p[key]
	}
	contents := []any{map[string]any{"src": program, "dst": p["bindir"].(string) + "/git-merge-yaml"}}
	for _, c := range p["contents"].([]any) {
		if only := c.(map[string]any)["packager"]; only == nil || only == packager {
			contents = append(contents, c)
		}
	}
	config["contents"] = contents
	return config, nil
}
