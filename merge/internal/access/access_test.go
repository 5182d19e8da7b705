package access

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/mergetest/trees"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
)

// fieldsOf parses access fields as presets contain them, as in "verbs,names=*".
func fieldsOf(t *testing.T, text string) (m Fields) {
	t.Helper()
	for name := range strings.SplitSeq(text, ",") {
		f, err := ParseField(name)
		if err != nil {
			t.Fatal(err)
		}
		m = append(m, f)
	}
	return m
}

// TestFindWidened checks the access fields that ours and theirs widen, or "" if the merge grants nothing that neither
// side grants. It also checks the result with ours and theirs exchanged.
func TestFindWidened(t *testing.T) {
	const (
		rbac     = "verbs,resources,names=*"
		iam      = "Effect,Principal|-NotPrincipal,Action|-NotAction,Resource,-Condition"
		network  = "from=*,ports=*"
		security = "FromPort..ToPort=*,CidrIp"
	)
	for _, c := range []struct {
		name, fields, base, ours, theirs string
		want                             string // the access fields of ours and theirs
	}{
		{"another address of an account", "user?email,role", "{user: a, email: x, role: r}", "{user: a, email: y, role: r}", "{user: a, email: x, role: s}", ""},
		{"another account", "user?email,role", "{email: x, role: r}", "{email: y, role: r}", "{email: x, role: s}", "user/email role"},
		{"both widen another", rbac, "{verbs: [a], resources: [x]}", "{verbs: [a, b], resources: [x]}", "{verbs: [a], resources: [x, y]}", "verbs resources"},
		{"one widens two", rbac, "{verbs: [a], resources: [x]}", "{verbs: [a, b], resources: [x, y]}", "{verbs: [a], resources: [x]}", ""},
		{"the same field", rbac, "{verbs: [a], resources: [x]}", "{verbs: [a, b], resources: [x]}", "{verbs: [a, c], resources: [x]}", ""},
		{"both in the same way", rbac, "{verbs: [a], resources: [x]}", "{verbs: [a, b], resources: [x, y]}", "{verbs: [a, b], resources: [x, y]}", ""},
		{"one has all of the other", rbac, "{verbs: [a], resources: [x]}", "{verbs: [a, b], resources: [x, y]}", "{verbs: [a, b], resources: [x]}", ""},
		{"a part in the same way, two values of one field", rbac, "{verbs: [a], resources: [x]}", "{verbs: [a, b], resources: [x, y]}", "{verbs: [a, c], resources: [x, y]}", ""},
		{"a part in the same way, and another field", rbac, "{verbs: [a], resources: [x]}", "{verbs: [a, b, c], resources: [x]}", "{verbs: [a, b], resources: [x, y]}", "verbs resources"},
		{"narrowed", rbac, "{verbs: [a, b], resources: [x]}", "{verbs: [a], resources: [x]}", "{verbs: [a, b], resources: [x, y]}", ""},
		{"replaced", rbac, "{verbs: [a], resources: [x]}", "{verbs: [b], resources: [x]}", "{verbs: [a], resources: [x, y]}", "verbs resources"},
		{"reordered", rbac, "{verbs: [a, b], resources: [x]}", "{verbs: [b, a], resources: [x]}", "{verbs: [a, b], resources: [x, y]}", ""},
		{"less than a star", rbac, "{verbs: ['*'], resources: [x]}", "{verbs: [a, b], resources: [x]}", "{verbs: ['*'], resources: [x, y]}", ""},
		{"a star", rbac, "{verbs: [a], resources: [x]}", "{verbs: ['*'], resources: [x]}", "{verbs: [a], resources: [x, y]}", "verbs resources"},
		{"a scalar appears", rbac, "{resources: [x]}", "{verbs: a, resources: [x]}", "{resources: [x, y]}", "verbs resources"},
		{"an empty list is filled", rbac, "{verbs: [], resources: [x]}", "{verbs: [a], resources: [x]}", "{verbs: [], resources: [x, y]}", "verbs resources"},
		{"a scalar becomes a list of it", rbac, "{verbs: a, resources: [x]}", "{verbs: [a], resources: [x]}", "{verbs: a, resources: [x, y]}", ""},
		{"names dropped", rbac, "{verbs: [a], names: [n]}", "{verbs: [a]}", "{verbs: [a, b], names: [n]}", "names verbs"},
		{"names emptied", rbac, "{verbs: [a], names: [n]}", "{verbs: [a], names: []}", "{verbs: [a, b], names: [n]}", "names verbs"},
		{"names added", rbac, "{verbs: [a]}", "{verbs: [a], names: [n]}", "{verbs: [a, b]}", ""},
		{"both added it", rbac, "", "{verbs: [a, b], resources: [x]}", "{verbs: [a], resources: [x, y]}", "verbs resources"},

		{"a principal", iam, "{Principal: {AWS: a}, Action: x}", "{Principal: {AWS: [a, b]}, Action: x}", "{Principal: {AWS: a}, Action: [x, y]}", "Principal/NotPrincipal Action/NotAction"},
		{"a principal of another kind", iam, "{Principal: {AWS: a}, Action: x}", "{Principal: {AWS: a, Service: s}, Action: x}", "{Principal: {AWS: a}, Action: [x, y]}", "Principal/NotPrincipal Action/NotAction"},
		{"anybody", iam, "{Principal: {AWS: a}, Action: x}", "{Principal: '*', Action: x}", "{Principal: {AWS: a}, Action: [x, y]}", "Principal/NotPrincipal Action/NotAction"},
		{"one instead of anybody", iam, "{Principal: '*', Action: x}", "{Principal: {AWS: a}, Action: x}", "{Principal: '*', Action: [x, y]}", ""},
		{"in a pattern", iam, "{Action: 's3:*', Resource: a}", "{Action: ['s3:Get', 's3:Put*'], Resource: a}", "{Action: 's3:*', Resource: [a, b]}", ""},
		{"out of a pattern", iam, "{Action: 's3:Get*', Resource: a}", "{Action: 's3:*', Resource: a}", "{Action: 's3:Get*', Resource: [a, b]}", "Action/NotAction Resource"},
		{"less excluded", iam, "{NotAction: [x, y], Resource: a}", "{NotAction: [x], Resource: a}", "{NotAction: [x, y], Resource: [a, b]}", "Action/NotAction Resource"},
		{"more excluded", iam, "{NotAction: [x], Resource: a}", "{NotAction: [x, y], Resource: a}", "{NotAction: [x], Resource: [a, b]}", ""},
		{"all but some instead of some", iam, "{Action: [x], Resource: a}", "{NotAction: [y], Resource: a}", "{Action: [x], Resource: [a, b]}", "Action/NotAction Resource"},
		{"some instead of all but others", iam, "{NotAction: [y], Resource: a}", "{Action: [x], Resource: a}", "{NotAction: [y], Resource: [a, b]}", ""},
		{"what was excluded instead of all others", iam, "{NotAction: [x], Resource: a}", "{Action: [x], Resource: a}", "{NotAction: [x], Resource: [a, b]}", "Action/NotAction Resource"},
		{"a pattern, a part of which is excluded", iam, "{NotAction: ['s3:P*'], Resource: a}", "{Action: ['s3:*t'], Resource: a}", "{NotAction: ['s3:P*'], Resource: [a, b]}", "Action/NotAction Resource"},
		{"a pattern, nothing of which is excluded", iam, "{NotAction: ['s3:P*'], Resource: a}", "{Action: ['s3:G*'], Resource: a}", "{NotAction: ['s3:P*'], Resource: [a, b]}", ""},
		{"other patterns excluded", iam, "{NotAction: ['s3:P*'], Resource: a}", "{NotAction: ['s3:*t'], Resource: a}", "{NotAction: ['s3:P*'], Resource: [a, b]}", "Action/NotAction Resource"},
		{"excluded by patterns that overlap", iam, "{NotAction: ['s3:P*'], Resource: a}", "{NotAction: [y], Resource: a}", "{NotAction: ['s3:*t'], Resource: [a, b]}", "Action/NotAction Resource"},
		{"a condition dropped", iam, "{Action: x, Condition: {Bool: {a: b}}}", "{Action: x}", "{Action: [x, y], Condition: {Bool: {a: b}}}", "Condition Action/NotAction"},
		{"a condition added", iam, "{Action: x, Condition: {Bool: {a: b}}}", "{Action: x, Condition: {Bool: {a: b}, IpAddress: {c: d}}}", "{Action: [x, y], Condition: {Bool: {a: b}}}", ""},
		{"another condition", iam, "{Action: x, Condition: {Bool: {a: b}}}", "{Action: x, Condition: {Bool: {a: c}}}", "{Action: [x, y], Condition: {Bool: {a: b}}}", "Condition Action/NotAction"},
		{"allow for deny", iam, "{Effect: Deny, Action: x}", "{Effect: Allow, Action: x}", "{Effect: Deny, Action: [x, y]}", "Effect Action/NotAction"},
		{"another tag", iam, "{Action: x, Resource: !Sub a}", "{Action: x, Resource: !Ref a}", "{Action: [x, y], Resource: !Sub a}", "Resource Action/NotAction"},

		{"a port", network, "{from: [{pod: {a: b}}], ports: [{port: 1}]}", "{from: [{pod: {a: b}}], ports: [{port: 1}, {port: 2}]}", "{from: [{pod: {a: b}}, {ns: {}}], ports: [{port: 1}]}", "ports from"},
		{"fewer labels", network, "{from: [{pod: {a: b, c: d}}], ports: [{port: 1}]}", "{from: [{pod: {a: b}}], ports: [{port: 1}]}", "{from: [{pod: {a: b, c: d}}], ports: [{port: 2}]}", "from ports"},
		{"more labels", network, "{from: [{pod: {a: b}}], ports: [{port: 1}]}", "{from: [{pod: {a: b, c: d}}], ports: [{port: 1}]}", "{from: [{pod: {a: b}}], ports: [{port: 2}]}", ""},
		{"one peer is two", network, "{from: [{pod: {a: b}, ns: {c: d}}], ports: [{port: 1}]}", "{from: [{pod: {a: b}}, {ns: {c: d}}], ports: [{port: 1}]}", "{from: [{pod: {a: b}, ns: {c: d}}], ports: [{port: 2}]}", "from ports"},
		{"from dropped", network, "{from: [{ns: {}}], ports: [{port: 1}]}", "{ports: [{port: 1}]}", "{from: [{ns: {}}], ports: [{port: 1}, {port: 2}]}", "from ports"},
		{"the first from", network, "{ports: [{port: 1}]}", "{from: [{ns: {}}], ports: [{port: 1}]}", "{ports: [{port: 1}, {port: 2}]}", ""},
		{"ports of all protocols", network, "{ports: [{protocol: TCP, port: 1}]}", "{ports: [{protocol: TCP}]}", "{from: [], ports: [{protocol: TCP, port: 1}]}", ""},
		{"a range, and another peer", network, "{from: [{ns: {a: b}}], ports: [{port: 1}]}", "{from: [{ns: {a: b}}], ports: [{port: 1, endPort: 9}]}", "{from: [{ns: {a: b}}, {pod: {}}], ports: [{port: 1}]}", "ports from"},
		{"less excepted", network, "{from: [{ipBlock: {cidr: 10.0.0.0/8, except: [10.1.0.0/16]}}], ports: [{port: 1}]}", "{from: [{ipBlock: {cidr: 10.0.0.0/8}}], ports: [{port: 1}]}", "{from: [{ipBlock: {cidr: 10.0.0.0/8, except: [10.1.0.0/16]}}], ports: [{port: 2}]}", "from ports"},
		{"more excepted", network, "{from: [{ipBlock: {cidr: 10.0.0.0/8}}], ports: [{port: 1}]}", "{from: [{ipBlock: {cidr: 10.0.0.0/8, except: [10.1.0.0/16]}}], ports: [{port: 1}]}", "{from: [{ipBlock: {cidr: 10.0.0.0/8}}], ports: [{port: 2}]}", ""},
		{"an expression more", network, "{from: [{matchExpressions: [{key: a}]}], ports: [{port: 1}]}", "{from: [{matchExpressions: [{key: a}, {key: b}]}], ports: [{port: 1}]}", "{from: [{matchExpressions: [{key: a}]}], ports: [{port: 2}]}", ""},
		{"an expression less", network, "{from: [{matchExpressions: [{key: a}, {key: b}]}], ports: [{port: 1}]}", "{from: [{matchExpressions: [{key: a}]}], ports: [{port: 1}]}", "{from: [{matchExpressions: [{key: a}, {key: b}]}], ports: [{port: 2}]}", "from ports"},
		{"a method less", network, "{from: [{methods: [GET, PUT]}], ports: [{port: 1}]}", "{from: [{methods: [GET]}], ports: [{port: 1}]}", "{from: [{methods: [GET, PUT]}], ports: [{port: 2}]}", ""},
		{"a method more", network, "{from: [{methods: [GET]}], ports: [{port: 1}]}", "{from: [{methods: [GET, PUT]}], ports: [{port: 1}]}", "{from: [{methods: [GET]}], ports: [{port: 2}]}", "from ports"},
		{"fewer paths are not meant", network, "{from: [{notPaths: [a, b]}], ports: [{port: 1}]}", "{from: [{notPaths: [a]}], ports: [{port: 1}]}", "{from: [{notPaths: [a, b]}], ports: [{port: 2}]}", "from ports"},

		{"pods of other namespaces", network, "{from: [{podSelector: {a: b}}], ports: [{port: 1}]}", "{from: [{podSelector: {a: b}, namespaceSelector: {}}], ports: [{port: 1}]}", "{from: [{podSelector: {a: b}}], ports: [{port: 2}]}", "from ports"},
		{"pods of some namespaces", network, "{from: [{namespaceSelector: {}}], ports: [{port: 1}]}", "{from: [{podSelector: {a: b}, namespaceSelector: {}}], ports: [{port: 1}]}", "{from: [{namespaceSelector: {}}], ports: [{port: 2}]}", ""},
		{"another protocol", network, "{from: [{ns: {a: b}}], ports: [{port: 53}]}", "{from: [{ns: {a: b}}], ports: [{port: 53, protocol: UDP}]}", "{from: [{ns: {}}], ports: [{port: 53}]}", "ports from"},
		{"the protocol that is the default", network, "{from: [{ns: {a: b}}], ports: [{port: 53}]}", "{from: [{ns: {a: b}}], ports: [{port: 53, protocol: TCP}]}", "{from: [{ns: {}}], ports: [{port: 53}]}", ""},

		{"a wider range", security, "{FromPort: 80, ToPort: 80, CidrIp: 10.0.0.0/8}", "{FromPort: 80, ToPort: 443, CidrIp: 10.0.0.0/8}", "{FromPort: 80, ToPort: 80, CidrIp: 0.0.0.0/0}", "FromPort/ToPort CidrIp"},
		{"a smaller range", security, "{FromPort: 80, ToPort: 443, CidrIp: 10.0.0.0/8}", "{FromPort: 80, ToPort: 80, CidrIp: 10.0.0.0/8}", "{FromPort: 80, ToPort: 443, CidrIp: 0.0.0.0/0}", ""},
		{"a smaller network", security, "{FromPort: 80, ToPort: 80, CidrIp: 10.0.0.0/8}", "{FromPort: 80, ToPort: 443, CidrIp: 10.0.0.0/8}", "{FromPort: 80, ToPort: 80, CidrIp: 10.9.9.9}", ""},
		{"a port by reference", security, "{FromPort: 80, ToPort: 80, CidrIp: a}", "{FromPort: !Ref P, ToPort: 80, CidrIp: a}", "{FromPort: 80, ToPort: 80, CidrIp: b}", "FromPort/ToPort CidrIp"},
	} {
		m := fieldsOf(t, c.fields)
		ours, theirs := trees.Root(t, c.ours), trees.Root(t, c.theirs)
		base := trees.Root(t, c.base)
		f, g, ok := m.FindWidened(base, ours, theirs)
		if got := strings.TrimSpace(f + " " + g); got != c.want || ok != (c.want != "") {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
		g, f, _ = m.FindWidened(base, theirs, ours)
		if got := strings.TrimSpace(f + " " + g); got != c.want {
			t.Errorf("%s, swapped: %q, want %q", c.name, got, c.want)
		}
		if _, _, ok := m.FindWidenedIn(ours, ours, theirs); ok {
			t.Errorf("%s: ours as the result grants more than ours", c.name)
		}
	}
}

// TestFindWidenedIn checks a merged mapping that grants every value of a field, because each side deleted one of the
// fields that limited it.
func TestFindWidenedIn(t *testing.T) {
	for _, c := range []struct{ fields, merged, ours, theirs, want string }{
		{"from|cidr=*,ports", "{ports: 1}", "{cidr: a, ports: 1}", "{from: b, ports: 1}", "from/cidr from/cidr"},
		{"from|cidr=*,ports", "{from: [], ports: 1}", "{from: [], cidr: a, ports: 1}", "{from: b, ports: 1}", "from/cidr from/cidr"},
		{"low..high=*,ports", "{ports: 1}", "{high: 9, ports: 1}", "{low: 1, ports: 1}", "low/high low/high"},
		{"-when|-unless,verbs", "{verbs: a}", "{unless: x, verbs: a}", "{when: y, verbs: a}", "when/unless when/unless"},
		{"from|cidr=*,ports", "{ports: 1}", "{ports: 1}", "{from: b, ports: 1}", ""},
		{"from|cidr,ports", "{ports: 1}", "{cidr: a, ports: 1}", "{from: b, ports: 1}", ""},
	} {
		ours, theirs, _ := fieldsOf(t, c.fields).FindWidenedIn(trees.Root(t, c.merged), trees.Root(t, c.ours), trees.Root(t, c.theirs))
		if got := strings.TrimSpace(ours + " " + theirs); got != c.want {
			t.Errorf("%s: %s of %s and %s: %q, want %q", c.fields, c.merged, c.ours, c.theirs, got, c.want)
		}
	}
}

func TestMatchesPattern(t *testing.T) {
	for _, c := range []struct {
		pattern, text string
		want          bool
	}{
		{"*", "", true}, {"a*", "a", true}, {"a*", "b", false}, {"*a", "ba", true}, {"a*a", "a", false}, {"a*b*c", "abbc", true},
		{"a*b*c", "acb", false}, {"ab", "ab", true}, {"ab", "abc", false}, {"s3:*", "s3:Get*", true}, {"s3:Get*", "s3:*", false},
	} {
		if matchesPattern(c.pattern, c.text) != c.want {
			t.Errorf("%q matches %q: %v", c.pattern, c.text, !c.want)
		}
	}
}

// TestUnionOfExcluded checks that the union of two access fields that list excluded values excludes what both exclude,
// in either order, also if one of them excludes it with a pattern.
func TestUnionOfExcluded(t *testing.T) {
	f, err := ParseField("Action|-NotAction")
	if err != nil {
		t.Fatal(err)
	}
	pattern, action := f.valuesOf(trees.Root(t, "{NotAction: ['s3:*', b]}")), f.valuesOf(trees.Root(t, "{NotAction: ['s3:Put', c]}"))
	for name, u := range map[string]valueSet{"pattern first": f.union(pattern, action), "action first": f.union(action, pattern)} {
		if !u.exceptListed || len(u.listed) != 1 || u.listed[0].node.Value != "s3:Put" {
			t.Errorf("%s: all except %d values", name, len(u.listed))
		}
	}
}

// TestExcludedUnderCondition checks that a mapping grants all values of a field if the only values that it excludes are
// under a condition of a template, which may not be met.
func TestExcludedUnderCondition(t *testing.T) {
	f := fieldsOf(t, "-unless=*")[0]
	n := trees.Root(t, "{unless: [a], verbs: b}")
	if f.contains(f.valuesOf(n), allValues) {
		t.Error("grants a, which it excludes")
	}
	n.Field("unless").Value.Entries[0].Guard = &syntax.Guard{Levels: []syntax.Level{{Said: "if .x"}}}
	if !f.contains(f.valuesOf(n), allValues) {
		t.Error("does not grant a without the condition")
	}
}

// TestTooManyValues checks lists that are too long for comparing each value with each: equal values are looked up, and
// of others no value counts as granted, in lists of granted and of excluded values.
func TestTooManyValues(t *testing.T) {
	list := func(field, format string, n int) *syntax.Node {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, format+", ", i)
		}
		return trees.Root(t, "{"+field+": ["+b.String()+"]}")
	}
	f, err := ParseField("Action|-NotAction")
	if err != nil {
		t.Fatal(err)
	}
	for _, field := range []string{"Action", "NotAction"} {
		for n, want := range map[int]bool{100: true, 300: false} { // 10,000 and 90,000 pairs
			actions, patterns := f.valuesOf(list(field, "s3:Get%d", n)), f.valuesOf(list(field, "'s3:Get%d*'", n))
			if field == "NotAction" {
				actions, patterns = patterns, actions
			}
			if f.contains(patterns, actions) != want {
				t.Errorf("%d values of %s: a list of patterns contains what they match: %v", n, field, !want)
			}
			if !f.contains(actions, actions) {
				t.Errorf("%d values of %s: a list does not contain itself", n, field)
			}
			if u := f.union(patterns, actions); f.contains(u, patterns) != (want || field == "Action") { // a union of granted values compares none
				t.Errorf("%d values of %s: wrong whether the union contains one of the two", n, field)
			}
		}
	}
}

// TestContainsAndUnionOfPatterns compares contains and union with what two random lists of patterns grant for each
// text of up to four letters. contains must not be true, and a known union must not grant a text, if that is wrong.
func TestContainsAndUnionOfPatterns(t *testing.T) {
	texts := []string{""}
	for i := 0; len(texts[i]) < 4; i++ {
		texts = append(texts, texts[i]+"a", texts[i]+"b")
	}
	f, err := ParseField("Action|-NotAction")
	if err != nil {
		t.Fatal(err)
	}
	grants := func(s valueSet, text string) bool {
		matches := func(v value) bool { return v.node == nil || matchesPattern(v.node.Value, text) }
		return slices.ContainsFunc(s.listed, matches) != s.exceptListed
	}
	patterns := []string{"'*'", "'a*'", "'*a'", "'*b'", "'a*b'", "'b*a'", "'a*b*'", "ab", "aab", "b", "'ab*'", "'*ba'"}
	r := rand.New(rand.NewPCG(1, 1))
	random := func() (string, valueSet) {
		text := "{" + []string{"Action", "NotAction"}[r.IntN(2)] + ": ["
		for range 1 + r.IntN(2) {
			text += patterns[r.IntN(len(patterns))] + ", "
		}
		text += "]}"
		return text, f.valuesOf(trees.Root(t, text))
	}
	contained, known := 0, 0
	for range 1000 {
		textA, a := random()
		textB, b := random()
		union, contains := f.union(a, b), f.contains(a, b)
		if contains {
			contained++
		}
		if !union.isUnknown {
			known++
		}
		for _, text := range texts {
			if contains && grants(b, text) && !grants(a, text) {
				t.Fatalf("%s contains %s, but does not grant %q", textA, textB, text)
			}
			if !union.isUnknown && grants(union, text) && !grants(a, text) && !grants(b, text) {
				t.Fatalf("the union of %s and %s grants %q", textA, textB, text)
			}
		}
	}
	if contained < 100 || known < 500 {
		t.Errorf("%d pairs contained, %d known unions", contained, known)
	}
}
