package syntax

import (
	"regexp"
	"strings"
	"sync"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// An Image consists of the two parts of a reference to a container image. Name is the registry and the name. Version is
// the tag and the digest, with the ":" or "@" before them. Version is empty if the reference has neither.
//
//	quay.io/web:1.0    # Name is quay.io/web, Version is :1.0
//
// A reference to a Git repository is split in the same way: see imagePattern.
type Image struct{ Name, Version text.Span }

// imagePattern matches a reference in one of these forms:
//
//	[host[:port]/]name[:tag][@digest]   # container image
//	owner/action@ref                    # GitHub action
//	URL?ref=REVISION                    # folder in a repository, as in kustomize and Terraform
//
// The submatches 1 and 2 are the parts of the first two forms, 3 and 4 those of the URL. A colon before a slash
// precedes a port, not a tag.
var imagePattern = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:(\w[\w.-]*(?::\d+/[\w.-]+)?(?:/[\w.-]+)*)((?::\w[\w.-]*)?(?:@[\w+.-]+(?::[[:xdigit:]]+)?)?)` +
		`|([^\s?#{}$"'\\]+\?(?:[^\s?#{}$"'\\]*&)?ref=)([^\s?#&{}$"'\\]+))$`)
})

// Image splits n, a reference to a container image, into the spans of its name and version in f: quay.io/web and
// :1.0@sha256:12. The version may be empty, so a word such as web counts, too. ok is false for other nodes.
func (n *Node) Image(f *text.File) (image Image, ok bool) {
	isInline := n != nil && (n.Style == Plain || n.Style == SingleQuoted || n.Style == DoubleQuoted)
	if !isInline || n.Tag != "!!str" || n.HasProperties() {
		return Image{}, false
	}
	content := n.Content
	if n.Style != Plain { // without its quotes
		content.Start++
		content.End--
	}
	match := imagePattern().FindStringSubmatchIndex(string(f.Slice(content)))
	if match == nil {
		return Image{}, false
	}
	// the start of submatch 2 or 4, which are the versions; one of the two is -1
	versionStart := content.Start + max(match[4], match[8])
	return Image{text.Span{Start: content.Start, End: versionStart}, text.Span{Start: versionStart, End: content.End}}, true
}

// Program returns the last part of the name in an image reference, without registry and version: web for
// quay.io/team/web:1.0. For the URL of a folder in a repository, it returns the text between the last slash and the
// query: base for https://example.com/repo/base?ref=v1.
func Program(reference string) string {
	path, _, _ := strings.Cut(reference, "?")
	name := path[1+strings.LastIndexByte(path, '/'):]
	if i := strings.IndexAny(name, ":@"); i >= 0 {
		name = name[:i]
	}
	return name
}

// ImageFields are the fields of a mapping that hold the parts of an image reference, in the order of the reference.
//
//	image:
//	  registry: r.io
//	  repository: team/web
//	  tag: "1.2"
var ImageFields = [...]string{"registry", "repository", "image", "newName", "tag", "newTag", "digest"}
