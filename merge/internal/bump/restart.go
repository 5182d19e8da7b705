package bump

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/ident"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/pair"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/read"
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

// A counter is a field in one version of a file: a counter, or a version to which counters belong. The zero value means
// that the file lacks the field.
type counter struct {
	text string
	span text.Span // of text
	line text.Span // the line of the field with its line end; empty if other text is on the line
}

// FindRestarts returns the counters that one side started again with a new version, while the other side kept the
// version and changed the counter. raw has the versions of file, and rules say which counters belong to which versions.
// It returns nil if a side is unchanged, or if the versions cannot be compared.
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
			side, ok := findRestartingSide(files, i, rule)
			if !ok {
				continue
			}
			x := Restart{Path: &three.Path{Root: place}, By: rule.By, Side: side, rule: rule, doc: i, counters: locateValues(files, i, rule.Counter)}
			for _, name := range rule.Counter {
				x.Path = x.Path.Child(name)
			}
			counted := side.Other()
			isSame := func(y Restart) bool { return x.counters[counted].span == y.counters[counted].span }
			if !slices.ContainsFunc(found, isSame) { // two counters may print one variable
				found = append(found, x)
			}
		}
	}
	return found
}

// findRestartingSide returns the side that started the counter of rule again in a document: it alone changed a version
// to which the counter belongs. doc is the index of the document. ok is false if there is no such side, if the other
// side did not count on, or if that cannot be undone because other text is on the line of a counter that it added.
func findRestartingSide(files []read.File, doc int, rule team.Restart) (side three.Version, ok bool) {
	hasNewVersion := func(s three.Version) bool {
		return slices.ContainsFunc(rule.Versions, func(path []string) bool {
			v := locateValues(files, doc, path)
			return v[s].text != v[three.Original].text
		})
	}
	side = three.Dest
	if hasNewVersion(three.Updated) {
		side = three.Updated
	}
	if !hasNewVersion(side) || hasNewVersion(side.Other()) {
		return side, false
	}
	counters := locateValues(files, doc, rule.Counter)
	before, counted := counters[three.Original], counters[side.Other()]
	hasCounted := counted.text != "" && counted.text != before.text && counted.text != counters[side].text
	canUndo := before.text != "" || !counted.line.Empty()
	return side, hasCounted && canUndo
}

// UndoCounting returns raw with the counters of restarts set back in the sides that kept the old version. A merge then
// takes the counter of Restart.Side, the side with the new version. A counter that the original lacks is deleted with
// its line.
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

// undo returns the replacement that undoes the counting in the side that kept the old version. The counter gets the
// text that it has in the original. If the original lacks the counter, its whole line is deleted.
func (x Restart) undo() text.Replacement {
	counted := x.counters[x.Side.Other()]
	if before := x.counters[three.Original].text; before != "" {
		return text.Replacement{Span: counted.span, Text: before}
	}
	return text.Replacement{Span: counted.line, Text: ""}
}

// AcceptCounters returns raw with changed counters, so that verification accepts the counters in merged, a merge by a
// user. restarts are those of raw (see FindRestarts).
//
//	counter in merged                           change of raw
//	that of the side with the new version       the other side's counting is undone, as by UndoCounting
//	that of the other side                      none
//	a value that neither side has               both sides get it, if both have the counter
//	none, although both sides have it           none
func AcceptCounters(raw [3][]byte, restarts []Restart, merged *syntax.Stream) [3][]byte {
	var all [3][]text.Replacement
	for _, x := range restarts {
		if x.doc >= len(merged.Docs) {
			continue
		}
		counted := x.Side.Other()
		restarted, other := x.counters[x.Side].text, x.counters[counted].text
		switch value := locateValue(merged, x.doc, x.rule.Counter).text; {
		case value == restarted: // both may lack the counter
			all[counted] = append(all[counted], x.undo())
		case value != other && value != "" && restarted != "":
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

// locateValues returns the value at path in a document of each version (see locateValue).
func locateValues(files []read.File, doc int, path []string) (values [3]counter) {
	for s, f := range files {
		values[s] = locateValue(f.Stream, doc, path)
	}
	return values
}

// locateValue returns the text of the scalar at path, with its quotes, and its place. doc is the index of its document
// in st. If the scalar only prints a variable that exactly one line sets, it returns the value there. It returns the
// zero value if there is no scalar, or if it has several lines, an anchor or a tag.
//
//	{% set version = "1.2" %}
//	package:
//	  version: {{ version }}     # "1.2", with its quotes
func locateValue(st *syntax.Stream, doc int, path []string) counter {
	e := fieldAt(st.Docs[doc].Root, path)
	if e == nil || e.Value.Kind != syntax.Scalar || e.Value.HasProperties() {
		return counter{}
	}
	span := e.Value.Content
	value := string(st.File.Slice(span))
	if strings.Contains(value, "\n") {
		return counter{}
	}
	if variable, ok := locateVariable(st.File.Bytes(), value); ok {
		return variable
	}
	found := counter{text: value, span: span}
	line := text.Span{Start: st.File.LineStart(e.Start), End: st.File.LineEnd(span.End)}
	if bytes.Equal(bytes.TrimSpace(st.File.Slice(line)), st.File.Slice(text.Span{Start: e.Start, End: span.End})) {
		found.line = line
	}
	return found
}

// fieldAt returns the field at path, the names of nested fields from root, or nil if there is none.
func fieldAt(root *syntax.Node, path []string) (field *syntax.Entry) {
	n := root
	for _, name := range path {
		if field = n.Field(name); field == nil {
			return nil
		}
		n = field.Value
	}
	return field
}

// locateVariable returns the value of the variable that printed prints, and its place in raw. printed is the text of a
// scalar such as {{ version }}. ok is false if printed is anything else, or unless exactly one line of raw sets the
// variable.
func locateVariable(raw []byte, printed string) (value counter, ok bool) {
	name := printRegexp().FindStringSubmatch(strings.Trim(printed, `"'`))
	if name == nil {
		return counter{}, false
	}
	// a match m has the name in raw[m[2]:m[3]], and the value in raw[m[4]:m[5]]
	setsOther := func(m []int) bool { return string(raw[m[2]:m[3]]) != name[1] }
	sets := slices.DeleteFunc(setRegexp().FindAllSubmatchIndex(raw, -1), setsOther)
	if len(sets) != 1 {
		return counter{}, false
	}
	span := text.Span{Start: sets[0][4], End: sets[0][5]}
	return counter{text: string(raw[span.Start:span.End]), span: span}, true
}
