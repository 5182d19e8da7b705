package bump

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/ident"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/pair"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/team"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// A Restart is a counter that one side started again with a new version, while the other side only counted on:
//
//	original     dest         updated      result
//	version: 1   version: 2   version: 1   version: 2
//	epoch: 3     epoch: 0     epoch: 4     epoch: 0
type Restart struct {
	Path *three.Path
	By   team.Decision // the rule
	Side three.Version // the side with the new version
	rule team.Restart
	doc  int // the index of the document
	// counters are the counters in original, dest and updated. The original and the side with the new version may
	// lack it.
	counters [3]counter
}

// A counter is the text of a field in one version of a file. The zero value means that the version lacks the field.
type counter struct {
	text string
	span text.Span // of text
	line text.Span // the line of the field with its line end; empty if other text is on the line
}

// FindRestarts returns the counters that one side started again, because it changed their version, while the other side
// changed the counter and not the version. rules declares the counters for file. It returns nil if a side is unchanged,
// or if the versions cannot be compared.
//
//	original     dest         updated
//	version: 1   version: 2   version: 1
//	epoch: 3     epoch: 0     epoch: 4     epoch, with Side dest
func FindRestarts(raw [3][]byte, file string, rules *team.Rules) (found []Restart) {
	if !rules.HasRestarts(file) || bytes.Equal(raw[three.Original], raw[three.Dest]) || bytes.Equal(raw[three.Original], raw[three.Updated]) {
		return nil
	}
	files := openSameDocuments(raw)
	if files == nil {
		return nil // the merge itself reports invalid YAML and repeated keys
	}
	match := pair.Matcher{Table: ident.Table{File: file}}
	for i, d := range files[three.Dest].Docs {
		place := match.ResourcePlace(d.Root)
		for _, rule := range rules.RestartsAt(*place) {
			x := Restart{Path: &three.Path{Root: place}, By: rule.By, rule: rule, doc: i}
			for _, name := range rule.Counter {
				x.Path = x.Path.Child(name)
			}
			// the values of the counter and of its versions, in original, dest and updated
			var versions [3][]counter
			for s, f := range files {
				root := f.Docs[i].Root
				x.counters[s] = locateValue(raw[s], root, rule.Counter)
				for _, path := range rule.Versions {
					versions[s] = append(versions[s], locateValue(raw[s], root, path))
				}
			}
			if !x.findSide(versions) {
				continue
			}
			counted := x.Side.Other()
			isSame := func(y Restart) bool { return x.counters[counted].span == y.counters[counted].span }
			if !slices.ContainsFunc(found, isSame) { // two counters may print one variable
				found = append(found, x)
			}
		}
	}
	return found
}

// findSide sets x.Side to the side that changed the version, and reports whether the counter starts again: only one
// side changed the version, and the other side only the counter, which can be undone. versions are the values of the
// versions to which the counter belongs.
func (x *Restart) findSide(versions [3][]counter) (ok bool) {
	sameText := func(a, b counter) bool { return a.text == b.text }
	var changed [3]bool
	for _, s := range three.Sides {
		changed[s] = !slices.EqualFunc(versions[three.Original], versions[s], sameText)
	}
	x.Side = three.Dest
	if changed[three.Updated] {
		x.Side = three.Updated
	}
	counted := x.counters[x.Side.Other()]
	hasCounted := counted.text != "" && !sameText(counted, x.counters[three.Original]) && !sameText(counted, x.counters[x.Side])
	canUndo := x.counters[three.Original].text != "" || !counted.line.Empty()
	return changed[three.Dest] != changed[three.Updated] && hasCounted && canUndo
}

// UndoCounting returns raw without the counting on in the side that kept the old version, so that a merge takes the
// counter of Restart.Side, the other side. A counter that the original lacks is deleted with its line.
//
//	original     dest         updated      updated, returned
//	version: 1   version: 2   version: 1   version: 1
//	epoch: 3     epoch: 0     epoch: 4     epoch: 3
func UndoCounting(raw [3][]byte, restarts []Restart) [3][]byte {
	var all [3][]text.Replacement
	for _, x := range restarts {
		all[x.Side.Other()] = append(all[x.Side.Other()], x.undo())
	}
	return replaceInSides(raw, all)
}

// undo returns the replacement that undoes the change of the counter in the side that only counted on: the text of the
// original replaces the counter or, if the original lacks it, its whole line is deleted.
func (x Restart) undo() text.Replacement {
	counted := x.counters[x.Side.Other()]
	if before := x.counters[three.Original].text; before != "" {
		return text.Replacement{Span: counted.span, Text: before}
	}
	return text.Replacement{Span: counted.line, Text: ""}
}

// AcceptCounters returns raw with changed counters, so that verification accepts the counters in result, a merge by a
// user. merged is the tree of result.
//
//	counter in result                           change of raw
//	that of the side with the new version       the other side's counting is undone, as by UndoCounting
//	that of the other side, or none             none
//	a value that neither side has               both sides get it, if both have the counter
func AcceptCounters(raw [3][]byte, restarts []Restart, merged *syntax.Stream, result []byte) [3][]byte {
	var all [3][]text.Replacement
	for _, x := range restarts {
		if x.doc >= len(merged.Docs) {
			continue
		}
		counted := x.Side.Other()
		switch value := locateValue(result, merged.Docs[x.doc].Root, x.rule.Counter).text; {
		case value == x.counters[x.Side].text: // the result of UndoCounting; both may lack the counter
			all[counted] = append(all[counted], x.undo())
		case value == "" || value == x.counters[counted].text || x.counters[x.Side].text == "":
		default: // a value that neither side has
			for _, s := range three.Sides {
				all[s] = append(all[s], text.Replacement{Span: x.counters[s].span, Text: value})
			}
		}
	}
	return replaceInSides(raw, all)
}

// replaceInSides returns raw, the bytes of original, dest and updated, with the replacements all[s] in side s. The
// original is unchanged, and so are the arrays of bytes in raw. It sorts the replacements. Their spans must not
// overlap.
func replaceInSides(raw [3][]byte, all [3][]text.Replacement) [3][]byte {
	for _, s := range three.Sides {
		raw[s], _ = text.ReplaceSpans(raw[s], 0, all[s])
	}
	return raw
}

var (
	// printRegexp matches a value that only prints a variable, as in {{ version }} or ${{ version }}.
	printRegexp = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\$?\{\{-?\s*(\w+)\s*-?\}\}$`) })
	// setRegexp matches a line of Jinja that sets a variable. Its groups are the name and the value.
	setRegexp = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?m)^[ \t]*\{%-?\s*set\s+(\w+)\s*=\s*(.*?)\s*-?%\}[ \t]*\r?$`)
	})
)

// locateValue returns the scalar at path below root, with its quotes, and its place in raw. If the scalar only prints a
// variable that exactly one line sets, it returns the value there. The zero value means: no scalar, or several lines,
// an anchor or a tag.
//
//	{% set version = "1.2" %}
//	package:
//	  version: {{ version }}     # "1.2", with its quotes
func locateValue(raw []byte, root *syntax.Node, path []string) (found counter) {
	n, e := root, (*syntax.Entry)(nil)
	for _, name := range path {
		if e = n.Field(name); e == nil {
			return found
		}
		n = e.Value
	}
	found.span = n.Content
	found.text = string(raw[found.span.Start:found.span.End])
	if n.Kind != syntax.Scalar || n.HasProperties() || strings.Contains(found.text, "\n") {
		return counter{}
	}
	// the line, if nothing else is on it
	start := 1 + bytes.LastIndexByte(raw[:e.Start], '\n')
	end := len(raw)
	if i := bytes.IndexByte(raw[found.span.End:], '\n'); i >= 0 {
		end = found.span.End + i + 1
	}
	if len(bytes.TrimSpace(raw[start:e.Start])) == 0 && len(bytes.TrimSpace(raw[found.span.End:end])) == 0 {
		found.line = text.Span{Start: start, End: end}
	}
	if printed := printRegexp().FindStringSubmatch(strings.Trim(found.text, `"'`)); printed != nil {
		// a match m has the name in raw[m[2]:m[3]], and the value in raw[m[4]:m[5]]
		setsOther := func(m []int) bool { return string(raw[m[2]:m[3]]) != printed[1] }
		if sets := slices.DeleteFunc(setRegexp().FindAllSubmatchIndex(raw, -1), setsOther); len(sets) == 1 {
			span := text.Span{Start: sets[0][4], End: sets[0][5]}
			return counter{text: string(raw[span.Start:span.End]), span: span}
		}
	}
	return found
}
