// Command nfpm prints the section of .goreleaser.yaml about packages as nfpm
// itself reads it, so that one package can be made and tried without a release:
//
//	go run ./scripts/nfpm deb PROGRAM VERSION ARCH >nfpm.yaml
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
	config, err := configOf(data, os.Args[1], os.Args[2])
	if err != nil {
		log.Fatal(err)
	}
	config["version"], config["arch"] = os.Args[3], os.Args[4]
	if err := yaml.NewEncoder(os.Stdout).Encode(config); err != nil {
		log.Fatal(err)
	}
}

// configOf returns what goreleaser makes of the section for one packager, with
// the program among the contents.
func configOf(data []byte, packager, program string) (map[string]any, error) {
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
