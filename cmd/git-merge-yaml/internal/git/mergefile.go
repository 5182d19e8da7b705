package git

import (
	"slices"
	"strconv"
)

// A MergeFile is a line merge of three files on disk, none of which it changes.
type MergeFile struct {
	Ours, Base, Theirs string // paths
	// Labels stand behind the markers, in the order ours, base, theirs.
	Labels     [3]string
	MarkerSize int
	// Style is merge, diff3 or zdiff3; "" is what merge.conflictStyle says.
	Style string
	// Resolve is ours, theirs or union, which leave no conflict, or "".
	Resolve string
}

// The exit codes of git merge-file that are no number of conflicts.
const (
	maxConflicts = 127
	usage        = 129
)

// MergeFile returns the merged bytes and the number of conflicts in them, of
// which git counts at most 127. Binary files are an *Error with exit code 255.
//
// git merge diffs by histogram, git merge-file by Myers unless told otherwise,
// which it can be since git 2.44. To ask an older git costs no more than to
// ask for its version: it refuses the option before it reads a file.
func (g Git) MergeFile(m MergeFile) (merged []byte, conflicts int, err error) {
	merged, err = g.Run(m.args("--diff-algorithm=histogram")...)
	if ExitCode(err) == usage {
		merged, err = g.Run(m.args()...)
	}
	if n := ExitCode(err); err != nil && n > 0 && n <= maxConflicts {
		return merged, n, nil
	}
	return merged, 0, err
}

func (m MergeFile) args(options ...string) []string {
	var config []string
	switch m.Style {
	case "":
	case "merge": // has no option; what is configured counts in repositories only
		config = []string{"-c", "merge.conflictStyle=merge"}
	default:
		options = append(options, "--"+m.Style)
	}
	if m.Resolve != "" {
		options = append(options, "--"+m.Resolve)
	}
	for _, l := range m.Labels {
		options = append(options, "-L", l)
	}
	options = append(options, "--marker-size="+strconv.Itoa(m.MarkerSize))
	return slices.Concat(config, []string{"merge-file", "-p"}, options, []string{"--", m.Ours, m.Base, m.Theirs})
}
