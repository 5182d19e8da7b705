package driver

import (
	"path"
	"slices"
	"strings"
)

// Name is what attributes files call this driver: merge=yaml.
const Name = "yaml"

// KustomizeName is what they call the driver with the rules of kustomize.
const KustomizeName = Name + "-kustomize"

// A Driver is one that install sets up. Its rules are "" for the default ones.
type Driver struct{ Name, Rules string }

// All are the drivers of this program, the default one first.
var All = []Driver{{Name, ""}, {KustomizeName, "kustomize"}}

// RulesOf returns the rules of a merge attribute, and whether it is one of this
// program's drivers.
func RulesOf(attribute string) (rules string, ok bool) {
	for _, d := range All {
		if d.Name == attribute {
			return d.Rules, true
		}
	}
	return "", false
}

// NameOf returns the name of the driver that merges by the rules.
func NameOf(rules string) string {
	i := slices.IndexFunc(All, func(d Driver) bool { return d.Rules == rules })
	return All[i].Name
}

// IsYAML reports whether a path is named like a YAML file.
func IsYAML(p string) bool {
	ext := strings.ToLower(path.Ext(p))
	return ext == ".yaml" || ext == ".yml"
}
