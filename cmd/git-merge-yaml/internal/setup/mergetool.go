package setup

import (
	"io"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/gitattrs"
)

// A mergeTool is a program with windows or panes in which the user resolves a file. name is what follows yaml- in git
// mergetool -t yaml-NAME, command is run by sh with the variables of git mergetool.
type mergeTool struct{ name, command string }

// mergeTools are the tools that InstallMergeTool knows.
var mergeTools = []mergeTool{
	{"code", `code --wait --merge "$REMOTE" "$LOCAL" "$BASE" "$MERGED"`},
	{"idea", `idea merge "$LOCAL" "$REMOTE" "$BASE" "$MERGED"`},
	{"vimdiff", `vim -f -d -c "4wincmd w | wincmd J" "$LOCAL" "$BASE" "$REMOTE" "$MERGED"`},
}

// MergeToolNames are the names that InstallMergeTool accepts.
func MergeToolNames() (names []string) {
	for _, t := range mergeTools {
		names = append(names, t.name)
	}
	return names
}

// setting returns the setting that makes t known to git mergetool. git gives a tool the whole versions of both sides, in
// which the tool finds all conflicts of a line merge again. The command therefore replaces these by two merges, in which
// all that is left is decided for ours, or for theirs: they differ in what is left and in nothing else. If the program
// fails, the tool gets the versions as git has them.
func (t mergeTool) setting() gitattrs.Setting {
	command := strings.Join([]string{
		`m() { git merge-yaml -q -p "$1" --path="$MERGED" -- "$BASE" "$LOCAL" "$REMOTE"; }`,
		`m --ours >"$LOCAL.y" && m --theirs >"$REMOTE.y" && mv -f "$LOCAL.y" "$LOCAL" && mv -f "$REMOTE.y" "$REMOTE"`,
		`rm -f "$LOCAL.y" "$REMOTE.y"`,
		t.command,
	}, "; ")
	return gitattrs.Setting{Key: "mergetool.yaml-" + t.name + ".cmd", Value: command, About: "to a line that runs " + strings.Fields(t.command)[0]}
}

// InstallMergeTool makes a tool known to git mergetool, which shows in it what a merge left in conflict, and prints the
// change and the command that uses it to out. name is one of MergeToolNames. Nothing else is installed.
func InstallMergeTool(out io.Writer, o Options, name string) error {
	p, err := newPlan(out, o)
	if err != nil {
		return err
	}
	for _, t := range mergeTools {
		if t.name == name {
			if err := p.planSetting(t.setting()); err != nil {
				return err
			}
		}
	}
	p.notes = append(p.notes, "git mergetool -t yaml-"+name+" shows what is left; git config merge.tool yaml-"+name+" makes it the default")
	return p.apply()
}

// planMergeToolRemoval plans to remove the settings of InstallMergeTool, as far as they are as it wrote them.
func (p *plan) planMergeToolRemoval() error {
	for _, t := range mergeTools {
		s := t.setting()
		current, err := p.git.Config(p.Scope, s.Key)
		if err != nil {
			return err
		}
		if current == s.Value {
			if err := p.planSetting(gitattrs.Setting{Key: s.Key}); err != nil {
				return err
			}
		}
	}
	return nil
}
