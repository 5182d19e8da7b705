package driver

import "github.com/git-merge-yaml/git-merge-yaml/merge"

// Options say how files are merged. All but the labels and the size of the
// markers may be left out.
type Options struct {
	// Path is the file's path in the repository, "" if git did not say.
	Path string
	// Labels stand behind the markers, in the order ours, base, theirs; "" is what git is
	// doing says.
	Labels     [3]string
	MarkerSize int
	Style      string // merge, diff3, zdiff3, or "" for what git is configured to
	Resolve    string // ours, theirs, union, or "" for markers
	RuleSet    string // kustomize, or "" for the default rules
}

// MaxMarkerSize is far above what anybody asks for, and far below what would fill the memory where a merge is tried in
// several ways. A file with longer markers, which git takes, is merged by lines.
const MaxMarkerSize = 1 << 16

// resolves are the names of --ours, --theirs and --union in the library.
var resolves = map[string]merge.Resolve{
	"":       merge.ResolveNone,
	"ours":   merge.ResolveOurs,
	"theirs": merge.ResolveTheirs,
	"union":  merge.ResolveUnion,
}

// styles are the names of merge.conflictStyle in the library.
var styles = map[string]merge.Style{
	"merge":  merge.StyleMerge,
	"diff3":  merge.StyleDiff3,
	"zdiff3": merge.StyleZdiff3,
}
