// Package resource tells which resource is which: by kind, namespace and name,
// and the API group where these are not enough.
//
// It takes the roots of three streams and gives identities, or a *three.Problem
// where a rule set could not tell two of them apart.
package resource
