package verify

import (
	"bytes"
	"cmp"
	"fmt"
	"hash/maphash"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// checkFormat returns a violation if the format of the result is not the merge of the inputs' formats, and nil
// otherwise. q is a node that both sides and the result contain; the result is nil if the base lacks it. Three things
// are merged. If both sides changed one of them differently, any is accepted:
//
//   - the quotes and spaces of the entry, and whether it is in flow or block style; its comment, the entries of a block
//     collection and the lines of a block scalar are left out
//   - the indentation of the entries of a block collection
//   - the comment on the entry's line
//
// The first is not compared if the collection is empty only in the result or only in the side, or if it is a flow
// collection ([a, b]) with other entries than in the side. If a part of q is in a conflict, only the comment is
// verified. Only results that this program merged field by field are checked.
func (c *checker) checkFormat(q nodeVersions) *Violation {
	switch {
	case q[base] == nil || !c.demands(ruleFormat):
		return nil
	case q.isPartial():
		return c.checkLineComment(q)
	}
	head, r := mapVersions(q, func(n *Node) uint64 { return n.HeadFormat }), q[result]
	want := q[ours]
	if head[ours] == head[base] {
		want = q[theirs]
	}
	empty := len(want.Entries) == 0
	mustDiffer := empty != (len(r.Entries) == 0) || !empty && r.Style == syntax.Flow && r.Data != want.Data
	if differsFromMerge(head) && !mustDiffer {
		return q.newViolation(ruleFormat, "expected the format (quotes, spaces, flow or block style) of %s", want.Version)
	}
	hasFlow := q.hasNode(func(n *Node) bool { return n.Style != syntax.Block })
	if !hasFlow && !q.hasBaseParts() && differsFromMerge(mapVersions(q, func(n *Node) int32 { return n.RelativeIndent })) {
		return q.newViolation(ruleFormat, "unexpected indentation of the entries: %d", r.RelativeIndent)
	}
	return c.checkLineComment(q)
}

// checkLineComment returns a violation if the comment on the line of q's entry, as in "a: 1 # x", is not the three-way
// merge of the comments in the inputs, and nil otherwise. A version that lacks q counts as one without a comment. If
// both sides changed it differently, any comment is accepted. It returns nil if q is a document, or if the comment is
// in a conflict. Subject of the violation is the expected comment or, if none is expected, that of the result.
func (c *checker) checkLineComment(q nodeVersions) *Violation {
	var comments [versions]string
	for v, n := range q {
		if n == nil {
			continue
		}
		if n.Entry == nil {
			return nil
		}
		if _, _, open := maskAt(c.masks[n.Version], n.Entry.Comment); open {
			return nil
		}
		comments[v] = string(bytes.TrimSpace(c.files[n.Version].Slice(n.Entry.Comment)))
	}
	if want, ok := choose(comments); ok && want != comments[result] {
		x := q.newViolation(ruleLineComment, "expected the comment %s, found %s", quoteLine(want), quoteLine(comments[result]))
		x.Subject = cmp.Or(want, comments[result])
		return x
	}
	return nil
}

// checkCopiedFormat returns a violation if the result has the data of a side (its values, tags and anchors), but is
// written otherwise than in each side with that data. Quotes, spaces and the order of fields are compared and, if the
// base lacks q, the comments at the ends of lines. Otherwise it returns nil. It also returns nil in these cases:
//
//   - the result lacks q, or a part of q in the result is in a conflict
//   - neither side has the data
//   - q moved into or out of a flow collection ([a, b]) between a side with the data and the result, so that it had to
//     be rewritten
func (c *checker) checkCopiedFormat(q nodeVersions) *Violation {
	r := q[result]
	if r == nil || r.Partial {
		return nil
	}
	var expected *Node
	for _, s := range sides {
		n := q[s]
		if n == nil || n.Data != r.Data {
			continue
		}
		if r.IsWrittenLike(n) || q[base] != nil && n.Format == r.Format { // comments are merged separately
			return nil
		}
		expected = cmp.Or(expected, n)
	}
	if expected == nil {
		return nil
	}
	return q.newViolation(ruleFormat, "expected the format (quotes, spaces, order of fields) of %s", expected.Version)
}

// checkFileFormat returns a violation in two cases, and otherwise nil:
//
//   - The result has a kind of line end (LF, CRLF or CR) that no input has.
//   - The "---" before the first document is missing or there, although the edits of both sides give the opposite.
//
// A side without data counts as if it had left the base's "---" unchanged. The "---" is not compared if the result is
// empty, if both sides changed it differently, or if the base is empty and a side has it as the result does.
func (c *checker) checkFileFormat() *Violation {
	lineEnds := func(b []byte) [3]bool { // LF without CR, CRLF, CR without LF
		crlf := bytes.Count(b, []byte("\r\n"))
		return [...]bool{bytes.Count(b, []byte("\n")) > crlf, crlf > 0, bytes.Count(b, []byte("\r")) > crlf}
	}
	var known [3]bool
	var explicit [versions]string
	for v, file := range c.files {
		for i, has := range lineEnds(file.Bytes()) {
			if has && version(v) == result && !known[i] {
				return nodeVersions{}.newViolation(ruleFormat, "the result has line ends that base, ours and theirs do not have")
			}
			known[i] = known[i] || has
		}
		if len(file.Bytes()) > 0 && !c.docs[v].Children[0].IsBlank() {
			explicit[v] = fmt.Sprint(c.streams[v].Docs[0].Explicit)
		}
	}
	for _, s := range sides {
		explicit[s] = cmp.Or(explicit[s], explicit[base])
	}
	want, ok := choose(explicit)
	if !ok || explicit[result] == "" || explicit[result] == want || explicit[base] == "" && slices.Contains(explicit[:result], explicit[result]) {
		return nil
	}
	return nodeVersions{}.newViolation(ruleFormat, "the --- before the first document was added or removed")
}

// checkNewLines returns a violation if a line of the result contains a word that is in no input, and otherwise nil. It
// has no position in the inputs, and that of the line in the result. White space, commas, colons and brackets separate
// words. Words in comments count, too. Words within c.composed are accepted: these are values that the merge has
// composed, such as an image reference with the name of ours and the version of theirs.
func (c *checker) checkNewLines() *Violation {
	lines, words := map[uint64]bool{}, map[uint64]bool{}
	for _, f := range c.files[:result] {
		for line := range bytes.Lines(f.Bytes()) {
			lines[hashLines(line)] = true
		}
	}
	file, at := c.files[result], 0
	for line := range bytes.Lines(file.Bytes()) {
		lineSpan := text.Span{Start: at, End: at + len(line)}
		at = lineSpan.End
		if lines[hashLines(line)] {
			continue
		}
		if len(words) == 0 {
			known := func(word []byte) { words[maphash.Bytes(seed, word)] = true }
			for _, f := range c.files[:result] {
				eachWord(f.Bytes(), known)
			}
			for _, span := range c.composed {
				eachWord(file.Slice(span), known)
			}
		}
		var bad *Violation
		eachWord(line, func(word []byte) {
			if !words[maphash.Bytes(seed, word)] {
				bad = nodeVersions{}.newViolation(ruleNewLine, "line %d of the result has a word that is not in base, ours or theirs: %q", file.Line(lineSpan.Start), word)
				bad.At[result] = lineSpan
			}
		})
		if bad != nil {
			return bad
		}
	}
	return nil
}

// eachWord calls f for each word of b. White space, commas, colons and brackets separate words.
func eachWord(b []byte, f func([]byte)) {
	for word := range bytes.FieldsFuncSeq(b, func(r rune) bool { return strings.ContainsRune(" \t\r\n,:[]{}", r) }) {
		f(word)
	}
}
