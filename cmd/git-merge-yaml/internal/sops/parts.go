package sops

import (
	"bytes"
	"regexp"
	"sync"
)

var (
	// block finds the sops block where sops writes it: behind everything else.
	block = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?m)^sops:\r?\n(?:[ \t]+.*\r?\n?|\r?\n)+\z`)
	})
	// document finds a line that starts or ends a document.
	document = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?m)^(?:---|\.\.\.)(?:[ \t\r].*)?$`)
	})
	// stamps are the fields of the block that each encryption writes anew.
	stamps = []string{"mac", "lastmodified", "version"}
)

// Sealed reports whether a file has a form in which sops writes it.
func Sealed(file []byte) bool {
	_, _, ok := split(file)
	return ok
}

// split is a version cut above its sops block. It holds one document that sops can seal.
func split(version []byte) (data, sealed []byte, ok bool) {
	at := block().FindIndex(version)
	if at == nil || document().Match(version) {
		return nil, nil, false
	}
	return version[:at[0]], version[at[0]:], true
}

// lasting is a sops block without what each encryption writes anew: the keys, and what is encrypted.
func lasting(block []byte) []byte {
	for _, key := range stamps {
		block = field(block, key).ReplaceAll(block, nil)
	}
	return block
}

// sealedAs is the block with the mac and the time of another one; nil if one of them has not both once.
func sealedAs(block, other []byte) []byte {
	for _, key := range stamps[:2] {
		from, to := field(other, key).FindAllSubmatch(other, -1), field(block, key).FindAllSubmatchIndex(block, -1)
		if len(from) != 1 || len(to) != 1 {
			return nil
		}
		block = bytes.Join([][]byte{block[:to[0][2]], from[0][1], block[to[0][3]:]}, nil)
	}
	return block
}

// field finds the line of a field of the block, not of what is inside of its fields: keys have versions, too.
func field(block []byte, key string) *regexp.Regexp {
	return regexp.MustCompile(`(?m)^` + string(indent(block)) + key + `:[ \t]+([^\r\n]*)`)
}

// indent is that of the block's fields.
func indent(block []byte) []byte {
	_, first, _ := bytes.Cut(block, []byte("\n"))
	return first[:len(first)-len(bytes.TrimLeft(first, " \t"))]
}

// secret finds what sops encrypted.
var secret = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`ENC\[AES256_GCM,[^\]\s]+\]`) })

// sides are the versions, for people.
var sides = [3]string{"base", "ours", "theirs"}
