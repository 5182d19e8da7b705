package setup

import (
	"fmt"
	"io"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/gitattrs"
)

// A mergeTool is a program with windows or panes in which the user resolves a file, for the command git mergetool -t
// yaml-NAME. command is a command line for sh, with the variables that git mergetool sets: LOCAL, REMOTE and BASE are
// files with the three versions, and MERGED is the file with conflict markers.
type mergeTool struct{ name, command string }

// mergeTools are the tools that InstallMergeTool knows.
var mergeTools = []mergeTool{
	{"code", `code --wait --merge "$REMOTE" "$LOCAL" "$BASE" "$MERGED"`},
	{"idea", `idea merge "$LOCAL" "$REMOTE" "$BASE" "$MERGED"`},
	{"vimdiff", `vim -f -d -c "4wincmd w | wincmd J" "$LOCAL" "$BASE" "$REMOTE" "$MERGED"`},
}

// MergeToolNames returns the names that InstallMergeTool accepts: code, idea and vimdiff. The slice is new at each
// call.
func MergeToolNames() (names []string) {
	for _, t := range mergeTools {
		names = append(names, t.name)
	}
	return names
}

// setting returns the setting of git's configuration, mergetool.yaml-NAME.cmd, that makes t known to git mergetool. Its
// command first merges the file by field, with ours and with theirs for each conflict that is left, and shows these
// merges as ours and theirs, so that they differ only in these conflicts. If this program fails, the tool shows the
// versions of git.
func (t mergeTool) setting() gitattrs.Setting {
	command := strings.Join([]string{
		`m() { git merge-yaml -q -p "$1" --path="$MERGED" -- "$BASE" "$LOCAL" "$REMOTE"; }`,
		`m --ours >"$LOCAL.y" && m --theirs >"$REMOTE.y" && mv -f "$LOCAL.y" "$LOCAL" && mv -f "$REMOTE.y" "$REMOTE"`,
		`rm -f "$LOCAL.y" "$REMOTE.y"`,
		t.command,
	}, "; ")
	return gitattrs.Setting{Key: "mergetool.yaml-" + t.name + ".cmd", Value: command, About: "to run " + strings.Fields(t.command)[0]}
}

// InstallMergeTool makes a tool, such as vimdiff, known to git mergetool, in which the user can resolve the conflicts
// that a merge by field left. It writes one setting into git's configuration, even over an edited one, and prints the
// change and how to use the tool; with o.DryRun, it only prints. If name is not one of MergeToolNames, nothing is set.
func InstallMergeTool(out io.Writer, o Options, name string) error {
	p, err := newPlan(out, o)
	if err != nil {
		return err
	}
	for _, t := range mergeTools {
		if t.name == name {
			p.planSetting(t.setting())
		}
	}
	p.notes = append(p.notes, fmt.Sprintf(`to resolve the remaining conflicts, run "git mergetool -t yaml-%s"; to make the tool the default, run "git config --%s merge.tool yaml-%s"`,
		name, p.Scope, name))
	return p.apply()
}

// planMergeToolRemoval adds changes to p: to remove the settings that InstallMergeTool wrote (mergetool.yaml-NAME.cmd).
// It adds nothing for tools that are not set. Settings that the user has edited since are kept. Nothing is removed
// before p.apply.
func (p *plan) planMergeToolRemoval() {
	for _, t := range mergeTools {
		if s := t.setting(); p.current[s.Key] == s.Value {
			p.planSetting(gitattrs.Setting{Key: s.Key})
		}
	}
}
