package app

// An example is a command line, and what it does. All examples are run by
// testdata/script/examples.txtar.
type example struct{ does, line string }

// examples are those of a command, or of the program itself for "".
func examples(command string) []example {
	switch command {
	case "":
		return []example{
			{"Merge three files by hand, and print the result", "git merge-yaml -p base.yaml ours.yaml theirs.yaml"},
			{"Decide conflicts for theirs, and write another file", "git merge-yaml --theirs -o merged.yaml base.yaml ours.yaml theirs.yaml"},
		}
	case "install":
		return []example{
			{"For all repositories of this user", "git merge-yaml install"},
			{"For this repository, and files of other names", "git merge-yaml install --local --pattern '*.yaml' --pattern '*.kubeconfig'"},
		}
	case "uninstall":
		return []example{
			{"Undo install", "git merge-yaml uninstall"},
			{"Say what undoing install --local would change", "git merge-yaml uninstall --local --dry-run"},
		}
	case "doctor":
		return []example{
			{"Check this repository, and what git knows of the program", "git merge-yaml doctor"},
			{"Check another repository", "git -C ../shop merge-yaml doctor"},
		}
	case "resolve":
		return []example{
			{"After a merge that stopped: merge what is unmerged", "git merge-yaml resolve"},
			{"One file, to be looked at before it is staged", "git merge-yaml resolve --no-stage k8s/web.yaml"},
			{"Decide what is left, conflict by conflict", "git merge-yaml resolve -i"},
		}
	case "regenerate":
		return []example{
			{"After a merge that stopped: make again what is generated", "git merge-yaml regenerate"},
			{"Let this clone do so without asking, as long as the rules are these", "git merge-yaml regenerate --trust"},
		}
	case "replay":
		return []example{
			{"The last hundred merges of this branch", "git merge-yaml replay --max 100"},
			{"A page with what was decided otherwise below k8s/", "git merge-yaml replay --only different --html replay.html main -- k8s/"},
		}
	case "review":
		return []example{
			{"What the driver did in the last merge, or does in the one that stopped", "git merge-yaml review"},
			{"In an earlier one, for one file", "git merge-yaml review HEAD k8s/web.yaml"},
		}
	case "report":
		return []example{
			{"The three versions of a file in the last merge, and what was made of them", "git merge-yaml report HEAD k8s/web.yaml"},
			{"The same in another folder", "git merge-yaml report -o for-the-issue HEAD k8s/web.yaml"},
		}
	case "rules":
		return []example{
			{"Which sets of rules there are", "git merge-yaml rules"},
			{"Bump versions of charts in the merges of all who have this repository", "git merge-yaml rules add helm"},
		}
	case "explain":
		return []example{
			{"A file that is in conflict right now", "git merge-yaml explain k8s/web.yaml"},
			{"Any three files, for another program to read", "git merge-yaml explain --json base.yaml ours.yaml theirs.yaml"},
			{"A file of a merge that is over", "git merge-yaml explain --merge HEAD k8s/web.yaml"},
		}
	case "diff":
		return []example{
			{"What differs between two files", "git merge-yaml diff base.yaml ours.yaml"},
			{"Between two environments, by the rules for one of them", "git merge-yaml diff --path k8s/web.yaml base.yaml theirs.yaml"},
		}
	case "preview":
		return []example{
			{"Which branches of the remotes merge into main", "git merge-yaml preview main"},
			{"For another program to read, some branches", "git merge-yaml preview --json --pairs main side HEAD"},
		}
	case "lists":
		return []example{
			{"By what the items of each list are known", "git merge-yaml lists k8s/web.yaml"},
			{"Find mistakes in the team's rules", "git merge-yaml lists --check"},
		}
	case "check":
		return []example{
			{"What the last merge lost, whoever made it", "git merge-yaml check --merge HEAD"},
			{"What a merge by another program lost", "git merge-yaml check base.yaml ours.yaml theirs.yaml merged.yaml"},
		}
	case "completion":
		return []example{
			{"For bash, where bash-completion reads it", "git merge-yaml completion bash >>~/.bash_completion"},
			{"For zsh, in a folder that is in fpath", "git merge-yaml completion zsh >~/.zsh/_git-merge-yaml"},
		}
	case "merge2":
		return []example{
			{"Write the fields of a patch into a file", "git merge-yaml merge2 patch.yaml web.yaml"},
			{"Print that instead", "git merge-yaml merge2 --stdout patch.yaml web.yaml"},
		}
	case "apply":
		return []example{
			{"What kubectl apply would make of a resource", "git merge-yaml apply web.yaml live.yaml"},
			{"What of it would change, with what was applied last from a file",
				"git merge-yaml apply --diff --last-applied last.yaml web.yaml live.yaml"},
		}
	}
	return nil
}
