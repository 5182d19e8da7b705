package app

import "slices"

// driverName is what attributes files call this driver: merge=yaml.
const driverName = "yaml"

// kustomizeName is what they call the driver with the rules of kustomize.
const kustomizeName = driverName + "-kustomize"

// A driver is one that install sets up. Its rules are "" for the default ones.
type driver struct{ name, rules string }

var drivers = []driver{{driverName, ""}, {kustomizeName, "kustomize"}}

// rulesOf returns the rules of a merge attribute, and whether it is one of this
// program's drivers.
func rulesOf(attribute string) (rules string, ok bool) {
	for _, d := range drivers {
		if d.name == attribute {
			return d.rules, true
		}
	}
	return "", false
}

// nameOf returns the name of the driver that merges by the rules.
func nameOf(rules string) string {
	i := slices.IndexFunc(drivers, func(d driver) bool { return d.rules == rules })
	return drivers[i].name
}
