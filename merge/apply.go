package merge

import (
	"bytes"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/annotation"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/overlay"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/read"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// Apply returns live as `kubectl apply` leaves it: fields of config are set,
// also where only live drifted; fields of lastApplied that config lacks are
// removed, and those that config has null; others are kept. Lists merge by
// the patch strategies of the built-in types, or as the team's rules say; all
// others are replaced.
//
// A nil lastApplied is what live has in the annotation in which kubectl keeps
// it. The annotation stays as it is; ApplyAnnotated writes it anew.
//
// The error says which file cannot be merged, and where; a *RuleError where
// the rules are what asks for more.
func Apply(lastApplied, config, live []byte, opts Options) (Result, error) {
	name(&opts.Names, "last-applied", "LIVE", "CONFIG")
	if lastApplied == nil {
		var err error
		if lastApplied, err = lastAppliedTo(live, opts); err != nil {
			return Result{}, err
		}
	}
	return mergeBySet([3][]byte{lastApplied, live, config}, opts, overlay.Apply)
}

// ApplyAnnotated is Apply, and writes what config says into the annotation in
// which kubectl keeps what it applied, as kubectl writes it: compact JSON with
// sorted keys and a line break.
func ApplyAnnotated(lastApplied, config, live []byte, opts Options) (Result, error) {
	name(&opts.Names, "last-applied", "LIVE", "CONFIG")
	// First as it is, so that errors name its own lines.
	if res, err := Apply(lastApplied, config, live, opts); err != nil {
		return res, err
	}
	config, err := annotate(config, live, opts)
	if err != nil {
		return Result{}, err
	}
	return Apply(lastApplied, config, live, opts)
}

// lastAppliedTo is what the annotations of live say.
func lastAppliedTo(live []byte, opts Options) ([]byte, error) {
	st, err := parseNamed(live, opts.Names[three.Dest])
	if err != nil {
		return nil, err
	}
	last, err := annotation.Read(st)
	return last, ruleError(err, [3]*syntax.Stream{three.Dest: st}, opts.Names, overlay.Apply.Name)
}

// annotate returns config with itself in the annotation.
func annotate(config, live []byte, opts Options) ([]byte, error) {
	st, err := parseNamed(config, opts.Names[three.Updated])
	if err != nil {
		return nil, err
	}
	in, err := parseNamed(live, opts.Names[three.Dest])
	if err != nil {
		return nil, err
	}
	notes, err := annotation.Write(st, in)
	if err != nil {
		return nil, ruleError(err, [3]*syntax.Stream{three.Updated: st}, opts.Names, overlay.Apply.Name)
	}
	set := overlay.Annotate
	set.JSON = len(bytes.TrimSpace(live)) == 0 // else live says what the result is
	res, err := mergeBySet([3][]byte{nil, config, notes}, opts, set)
	return res.Bytes, err
}

// parseNamed parses a file that errors call by its name.
func parseNamed(b []byte, name string) (*syntax.Stream, error) {
	st, err := syntax.Parse(text.New(b))
	if err != nil {
		return nil, read.Unreadable(name, err)
	}
	return st, nil
}

// Merge2 merges the fields of src into dest by the rules of kustomize's
// documented two-way merge: what src has wins, what it has null is removed,
// what dest alone has stays; a list without keys is one value; new items stand
// at the end. A $patch in src deletes, replaces or merges what it stands in, as in
// kustomize's code. Comments of src come along with what it adds, and stand where
// dest has none. Where dest is JSON, so is the result.
//
// The error says which file cannot be merged, and where; a *RuleError where
// the rules are what asks for more.
func Merge2(src, dest []byte, opts Options) (Result, error) {
	name(&opts.Names, "", "DEST", "SRC")
	return mergeBySet([3][]byte{nil, dest, src}, opts, overlay.Merge2)
}
