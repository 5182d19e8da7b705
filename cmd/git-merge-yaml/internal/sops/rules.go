package sops

import (
	"fmt"
	"regexp"

	"gopkg.in/yaml.v3"
)

// Rules are the creation rules of a .sops.yaml, as far as they name files.
type Rules []*regexp.Regexp

// ReadRules reads a .sops.yaml. A rule without path_regex is for every file: it, and what is below it, names none.
func ReadRules(config []byte) (rules Rules, err error) {
	var c struct {
		Rules []struct {
			Path *string `yaml:"path_regex"`
		} `yaml:"creation_rules"`
	}
	if err := yaml.Unmarshal(config, &c); err != nil {
		return nil, err
	}
	for i, r := range c.Rules {
		if r.Path == nil || *r.Path == "" {
			break
		}
		re, err := regexp.Compile(*r.Path)
		if err != nil {
			return nil, fmt.Errorf("creation_rules[%d].path_regex: %w", i, err)
		}
		rules = append(rules, re)
	}
	return rules, nil
}

// Name reports whether a rule names the file at path, seen from the folder of the .sops.yaml.
func (r Rules) Name(path string) bool {
	for _, re := range r {
		if re.MatchString(path) {
			return true
		}
	}
	return false
}
