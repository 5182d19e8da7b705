module github.com/git-merge-yaml/git-merge-yaml

go 1.26

require gopkg.in/yaml.v3 v3.0.1
