package app

import (
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/driver"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
)

// choices are what can stand at the cursor of a command line.
type choices struct {
	words []choice
	// files asks the shell for names of files as well: yaml for files of YAML
	// and folders, any, dirs, or "" for none.
	files string
}

// A choice is a word, and what it means if that is to be said.
type choice struct{ word, means string }

// reply prints what can stand for the last of words, which are those behind
// the name of the program that has these commands: a line each, with a tab before what it means. The
// last line may be :yaml, :any or :dirs.
func (a *App) reply(commands []*cli.Command, words []string) error {
	if len(words) == 0 {
		words = []string{""}
	}
	found := complete(commands, words[:len(words)-1], words[len(words)-1])
	for _, c := range found.words {
		if strings.ContainsFunc(c.word, terminal.Unprintable) {
			continue // it would be two
		}
		line := c.word
		if c.means != "" {
			line += "\t" + c.means
		}
		if _, err := fmt.Fprintln(a.Stdout, line); err != nil {
			return err
		}
	}
	if found.files == "" {
		return nil
	}
	_, err := fmt.Fprintln(a.Stdout, ":"+found.files)
	return err
}

// complete returns what word, which may be empty, can become behind words.
func complete(commands []*cli.Command, before []string, word string) choices {
	command, flags := "", append(mergeFlags(), cli.HelpFlag, cli.VersionFlag)
	if c := commandOf(commands, before); c != nil {
		command, flags, before = c.Name, append(c.Flags, cli.HelpFlag), before[1:]
	}
	last := ""
	if len(before) > 0 {
		last = before[len(before)-1]
	}
	name, value, assigned := strings.Cut(word, "=")
	switch {
	case slices.Contains(before, "--"):
		return arguments(command, before[slices.Index(before, "--")+1:], true).startingWith(word)
	case takesValue(flags, last):
		return valuesOf(flags, last).startingWith(word)
	case assigned && takesValue(flags, name):
		return valuesOf(flags, name).startingWith(value).behind(name + "=")
	case walksHistory(command) && strings.Contains(word, ".."):
		second := strings.LastIndex(word, "..") + 2
		return choices{words: revisions()}.startingWith(word[second:]).behind(word[:second])
	case strings.HasPrefix(word, "-"):
		return choices{words: optionChoices(flags)}.startingWith(word)
	case command == "" && len(before) == 0:
		return choices{commandChoices(commands), "any"}.startingWith(word)
	case command == "" && before[0] == "help":
		return choices{words: commandChoices(commands)}.startingWith(word)
	}
	return arguments(command, argumentsOf(flags, before), false).startingWith(word)
}

// commandOf returns that of commands with which words begin, nil if none does.
func commandOf(commands []*cli.Command, words []string) *cli.Command {
	for _, c := range commands {
		if len(words) > 0 && c.HasName(words[0]) {
			return c
		}
	}
	return nil
}

// arguments returns what can follow the arguments given of a command, or of
// the program itself. In dashed, they stand behind --.
func arguments(command string, given []string, dashed bool) choices {
	switch command {
	case "":
		return choices{files: "any"}
	case "install", "uninstall", "doctor", "regenerate":
		return choices{}
	case "rules":
		if len(given) == 0 {
			return choices{words: bare("add")}
		}
		return choices{words: bare(presetNames()...)}
	case "completion":
		return choices{words: bare("bash", "zsh", "fish")}
	case "resolve":
		return choices{words: unmergedPaths(given)}
	case "explain":
		if paths := unmergedPaths(nil); len(given) == 0 && len(paths) > 0 {
			return choices{words: paths}
		}
	case "preview":
		return choices{words: revisions()}
	case "review", "report":
		if !dashed && len(given) == 0 {
			return choices{words: revisions()}
		}
	case "replay", "learn":
		if !dashed {
			return choices{words: revisions()}
		}
	}
	return choices{files: "yaml"}
}

func commandChoices(commands []*cli.Command) []choice {
	var all []choice
	for _, c := range commands {
		all = append(all, choice{c.Name, c.Usage})
	}
	return append(all, choice{"help", "show the help of a command"})
}

// valuesOf returns what an option takes.
func valuesOf(flags []cli.Flag, name string) choices {
	switch flagOf(flags, name).Names()[0] {
	case "color":
		return choices{words: bare(colourWords...)}
	case "style":
		return choices{words: bare("merge", "diff3", "zdiff3")}
	case "rules":
		return choices{words: bare("default", "kustomize")}
	case "own":
		return choices{words: bare("ours", "theirs")}
	case "attributes":
		return choices{words: bare("tracked", "info", "global", "none")}
	case "only":
		return choices{words: bare("conflicts", "different")}
	case "refs":
		return choices{words: bare("refs/heads", "refs/remotes", "refs/pull/*/head")}
	case "push":
		return choices{words: remotes()}
	case "merge", "merges":
		return choices{words: revisions()}
	case "config", "path", "output", "last-applied":
		return choices{files: "yaml"}
	case "html":
		return choices{files: "any"}
	case "save":
		return choices{files: "dirs"}
	}
	return choices{}
}

// remotes are the names of the remotes that there are.
func remotes() []choice {
	out, _ := git.Git{}.Run("remote") // there may be none
	return bare(strings.Fields(string(out))...)
}

func bare(words ...string) []choice {
	var all []choice
	for _, w := range words {
		all = append(all, choice{word: w})
	}
	return all
}

// unmergedPaths are the YAML files that are unmerged here, but for those given.
func unmergedPaths(given []string) []choice {
	tree, err := git.Git{}.WorkTree()
	if err != nil {
		return nil
	}
	all, err := tree.Unmerged(nil)
	if err != nil {
		return nil
	}
	var paths []choice
	for _, u := range all {
		if p := tree.Rel(u.Path); driver.IsYAML(p) && !slices.Contains(given, p) {
			paths = append(paths, choice{word: p})
		}
	}
	return paths
}

// revisions are the branches and tags of the repository.
func revisions() []choice {
	out, err := git.Git{}.Run("for-each-ref", "--format=%(refname:short)", "refs/heads", "refs/tags", "refs/remotes")
	if err != nil {
		return nil
	}
	return bare(append([]string{"HEAD"}, strings.Fields(string(out))...)...)
}

// startingWith leaves the choices that begin with what is typed. Files are
// asked for only if none is left.
func (c choices) startingWith(typed string) choices {
	c.words = slices.DeleteFunc(c.words, func(c choice) bool { return !strings.HasPrefix(c.word, typed) })
	if len(c.words) > 0 {
		c.files = ""
	}
	return c
}

// behind puts a text before each of the words.
func (c choices) behind(text string) choices {
	for i := range c.words {
		c.words[i].word = text + c.words[i].word
	}
	return c
}
