module github.com/git-merge-yaml/git-merge-yaml

go 1.26
