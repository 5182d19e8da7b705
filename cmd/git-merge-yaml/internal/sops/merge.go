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
	errForm     = errors.New("a version is not one document with a sops block at its end")
	errOpen     = errors.New("a value that is encrypted would stand where sops encrypts nothing")
	errConflict = errors.New("values are in conflict, too: git merge-yaml resolve -i decrypts and shows them")
)

// Mergers merge three versions of what is above the sops blocks, and report whether that is clean.
type Mergers struct {
	// Sealed merges ciphertext; where it is not clean, ours stands in what it gives.
	Sealed func(data [3][]byte) (merged []byte, clean bool)
	// Clear merges what sops decrypted. Nothing of it may be kept or told.
	Clear func(data [3][]byte) (merged []byte, clean bool)
}

// Merge merges three versions and has sops make the MAC: by their ciphertext, and where that is in conflict or the
// data keys differ, in the clear, in memory. It notes what changed about who can read the file. All versions
// have to have a right MAC, and the keys that they differ in are those of this machine: a pushed file could name
// a key service of its own, or hold what nobody sealed.
func Merge(versions [3][]byte, m Mergers) (merged []byte, note string, err error) {
	f, err := open(versions, m)
	if err != nil {
		return nil, "", err
	}
	defer f.close()
	merged, err = f.merge()
	return merged, recipientsNote(f.blocks), err
}

// Finish has sops make the MAC of a file whose conflicts a person settled, above its sops block; check says what
// is wrong with what stands there now.
func Finish(versions [3][]byte, settled []byte, check func(data [3][]byte, settled []byte) error) ([]byte, error) {
	f, err := open(versions, Mergers{})
	if err != nil {
		return nil, err
	}
	defer f.close()
	block, other, err := f.decrypt()
	if err != nil {
		return nil, err
	}
	if other != 0 {
		return nil, errors.New("the versions have different data keys: sops edit one of them")
	}
	at := bytes.LastIndex(settled, []byte("\nsops:"))
	if at < 0 || document().Match(settled) {
		return nil, errForm
	}
	data := settled[:at+1]
	if err := check(f.data, data); err != nil {
		return nil, err
	}
	return f.seal(data, block, nil)
}

// Opened are three versions in the clear, in memory, for a person who decides what is in conflict. Nothing of them
// may be kept, or told unasked.
type Opened struct {
	Clear [3][]byte
	// Note is what changed about who can read the file.
	Note        string
	versions    [3][]byte
	data, block []byte
}

// Open decrypts three versions as Merge does.
func Open(versions [3][]byte, m Mergers) (*Opened, error) {
	f, err := open(versions, m)
	if err != nil {
		return nil, err
	}
	defer f.close()
	o := &Opened{Note: recipientsNote(f.blocks), versions: versions}
	o.data, o.block, _, err = f.mergeSealed()
	o.Clear = f.clear
	return o, err
}

// Seal is merged, what was made of the versions in the clear, as sops writes it. What did not change keeps its ciphertext.
func (o *Opened) Seal(merged []byte) ([]byte, error) {
	f, err := open(o.versions, Mergers{})
	if err != nil {
		return nil, err
	}
	defer f.close()
	return f.seal(o.data, o.block, merged)
}

// files are three versions that are merged.
type files struct {
	Mergers
	folder
	data, blocks, clear [3][]byte
}

// Clear are versions that sops decrypts, each with its MAC, in memory. Nothing of them may be kept or told. What Merge
// would not have sops read, it does not.
func Clear(versions ...[]byte) (clear [][]byte, err error) {
	var blocks [][]byte
	for _, v := range versions {
		_, block, ok := split(v)
		if !ok {
			return nil, errForm
		}
		blocks = append(blocks, block)
	}
	if err := compareBlocks(blocks...); err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "git-merge-yaml-sops-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	for _, v := range versions {
		text, err := folder(dir).read(v)
		if err != nil {
			return nil, err
		}
		clear = append(clear, text)
	}
	return clear, nil
}

// open cuts versions that can be merged, and makes the folder for them.
func open(versions [3][]byte, m Mergers) (*files, error) {
	f := &files{Mergers: m}
	for i, v := range versions {
		var ok bool
		if f.data[i], f.blocks[i], ok = split(v); !ok {
			return nil, errForm
		}
	}
	if err := compareBlocks(f.blocks[:]...); err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "git-merge-yaml-sops-")
	f.folder = folder(dir)
	return f, err
}

func (f *files) close() { _ = os.RemoveAll(string(f.folder)) }

// decrypt reads all versions, and gives their keys.
func (f *files) decrypt() (block []byte, other int, err error) {
	for i, name := range sides {
		if f.clear[i], err = f.read(join(f.data[i], f.blocks[i])); err != nil {
			return nil, 0, fmt.Errorf("%s: %w", name, err)
		}
	}
	return f.keys()
}

// merge decrypts the versions, merges them, and has sops write what comes out.
func (f *files) merge() ([]byte, error) {
	data, block, clean, err := f.mergeSealed()
	if err != nil {
		return nil, err
	}
	if clean {
		return f.seal(data, block, nil)
	}
	want, clean := f.Clear(f.clear)
	if !clean {
		return nil, errConflict
	}
	return f.seal(data, block, want)
}

// mergeSealed decrypts the versions, and merges their ciphertext.
func (f *files) mergeSealed() (data, block []byte, clean bool, err error) {
	block, other, err := f.decrypt()
	if err != nil || other != 0 {
		return f.data[other], block, false, err
	}
	// one data key
	if data, clean = f.Sealed(f.data); !bytes.HasSuffix(data, []byte("\n")) {
		return nil, nil, false, errConflict
	}
	return data, block, clean, nil
}

// A folder is where sops reads and writes ciphertext.
type folder string

const file = "file.yaml"

// seal gives data with the block and a MAC that sops made; decrypted, it is want, if that is not nil.
func (f *files) seal(data, block, want []byte) ([]byte, error) {
	if err := f.write(join(data, block)); err != nil {
		return nil, err
	}
	// An entry that is set and unset again makes sops seal the file, and changes nothing else.
	const name = "git-merge-yaml-seals-this-file"
	entry := `["` + name + `"]`
	if _, err := f.run("", "set", "--ignore-mac", file, entry, "0"); err != nil {
		return nil, err
	}
	steps := []step{{index: entry, unset: true}}
	if want != nil {
		have, err := f.run("", "decrypt", file)
		if err != nil {
			return nil, err
		}
		if steps, err = stepsTo(have, want); err != nil {
			return nil, err
		}
		if !f.staySecret(steps) {
			return nil, errOpen
		}
	}
	for _, s := range steps {
		if err := s.take(f.folder); err != nil {
			return nil, err
		}
	}
	return f.sealed(data, block, want)
}

// sealed reads what sops wrote, and checks it.
func (f *files) sealed(data, block, want []byte) ([]byte, error) {
	written, err := os.ReadFile(filepath.Join(string(f.folder), file))
	if err != nil {
		return nil, err
	}
	values, other, ok := split(written)
	anew := sealedAs(block, other)
	if !ok || anew == nil {
		return nil, errors.New("sops wrote a file of another form")
	}
	if want != nil {
		data = values
	}
	result := join(data, anew)
	have, err := f.read(result)
	if err != nil {
		return nil, fmt.Errorf("the merged file: %w", err)
	}
	if secret().Match(have) {
		return nil, errOpen
	}
	if want != nil && !same(have, want) {
		return nil, errors.New("sops cannot write the merged values as they are")
	}
	return result, nil
}

// read has sops decrypt a file, with its MAC, in memory.
func (f folder) read(version []byte) ([]byte, error) {
	if err := f.write(version); err != nil {
		return nil, err
	}
	return f.run("", "decrypt", file)
}

func (f folder) write(content []byte) error {
	return os.WriteFile(filepath.Join(string(f), file), content, 0o600)
}

func join(data, block []byte) []byte { return append(bytes.Clone(data), block...) }
