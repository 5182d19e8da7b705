package sops

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// Key is the setting of git with which a person lets merges run sops.
const Key = "merge.yaml.sops"

var (
	errForm = errors.New("a version is not one document with a sops block at its end")
	errKeys = errors.New("the versions differ in their keys, or in what is encrypted")
)

// Merge merges three versions by their ciphertext and has sops make the MAC. The function merges what
// is above the sops blocks, and reports whether that is clean. All versions have to have the same keys and a
// right MAC: a pushed file could name a key service of its own, or hold what nobody sealed.
func Merge(versions [3][]byte, merge func(data [3][]byte) ([]byte, bool)) ([]byte, error) {
	var data, sealed [3][]byte
	for i, v := range versions {
		var ok bool
		if data[i], sealed[i], ok = split(v); !ok {
			return nil, errForm
		}
	}
	for _, s := range sealed {
		if !bytes.Equal(lasting(s), lasting(sealed[1])) {
			return nil, errKeys
		}
	}
	merged, clean := merge(data)
	if !clean || !bytes.HasSuffix(merged, []byte("\n")) {
		return nil, errors.New("values are in conflict, too")
	}
	dir, err := os.MkdirTemp("", "git-merge-yaml-sops-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	return folder(dir).seal(versions, merged, sealed[1])
}

// A folder is where sops reads and writes ciphertext.
type folder string

const file = "file.yaml"

// seal checks the versions, and gives the merged data with the block and a MAC that sops made.
func (f folder) seal(versions [3][]byte, data, block []byte) ([]byte, error) {
	for i, name := range []string{"base", "ours", "theirs"} {
		if err := f.check(versions[i]); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	if err := f.write(append(bytes.Clone(data), block...)); err != nil {
		return nil, err
	}
	// An entry that is set and unset again makes sops seal the file, and changes nothing else.
	const entry = `["git-merge-yaml-seals-this-file"]`
	if err := run(string(f), "set", "--ignore-mac", file, entry, "0"); err != nil {
		return nil, err
	}
	if err := run(string(f), "unset", file, entry); err != nil {
		return nil, err
	}
	written, err := os.ReadFile(filepath.Join(string(f), file))
	if err != nil {
		return nil, err
	}
	_, other, ok := split(written)
	anew := sealedAs(block, other)
	if !ok || anew == nil {
		return nil, errors.New("sops wrote a file of another form")
	}
	result := append(bytes.Clone(data), anew...)
	if err := f.check(result); err != nil {
		return nil, fmt.Errorf("the merged file: %w", err)
	}
	return result, nil
}

// check has sops read a file, with its MAC.
func (f folder) check(version []byte) error {
	if err := f.write(version); err != nil {
		return err
	}
	return run(string(f), "decrypt", file)
}

func (f folder) write(content []byte) error {
	return os.WriteFile(filepath.Join(string(f), file), content, 0o600)
}
