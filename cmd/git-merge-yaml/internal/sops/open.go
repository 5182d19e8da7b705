package sops

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"
)

// An Opened is a file of which sops decrypted versions. Nothing that is in the clear may be kept, or told unasked.
type Opened struct {
	Clear    [][]byte // each version
	versions []version
	one      *strings.Replacer // each ciphertext is the first of its value at its place
	clear    *strings.Replacer // each ciphertext is what it says
}

// Open has sops decrypt versions that pass the gate: base, ours and theirs, and perhaps a result. Each has to have a
// right MAC.
func Open(files ...[]byte) (*Opened, error) {
	versions, err := gate(files...)
	if err != nil {
		return nil, err
	}
	f, err := newFolder()
	if err != nil {
		return nil, err
	}
	defer f.remove()
	o := &Opened{versions: versions}
	var one, clear []string
	first := map[string]string{} // the ciphertext of a value at a place
	for _, v := range versions {
		file, err := o.join(v.data, v.mac.Value, v.time.Value)
		if err != nil {
			return nil, err
		}
		text, err := f.decrypt(file)
		var doc yaml.Node
		if err == nil && (yaml.Unmarshal(text, &doc) != nil || len(doc.Content) != 1) {
			err = errForm
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", v.name, err)
		}
		o.Clear = append(o.Clear, text)
		sealed, open := leaves("", v.root), leaves("", doc.Content[0])
		for i := range min(len(sealed), len(open)) {
			if s, c := sealed[i], open[i]; s.sealed() && s.path == c.path && s.Value != c.Value {
				place := s.path + "\x00\x00" + c.ShortTag() + c.Value
				if first[place] == "" {
					first[place] = s.Value
				}
				said := c.Value
				if strings.Contains(said, "\n") {
					said = strconv.Quote(said)
				}
				one, clear = append(one, s.Value, first[place]), append(clear, s.Value, said)
			}
		}
	}
	o.one, o.clear = strings.NewReplacer(one...), strings.NewReplacer(clear...)
	return o, nil
}

// One is a text in which each value at its place has one ciphertext, so that what both sides changed alike is so for who
// cannot read it.
func (o *Opened) One(text []byte) []byte { return []byte(o.one.Replace(string(text))) }

// Reveal is a line with its values in the clear.
func (o *Opened) Reveal(line string) string { return o.clear.Replace(line) }

// ours is the version whose sops block results have.
func (o *Opened) ours() version { return o.versions[min(1, len(o.versions)-1)] }

// join is a file of data and ours' block, with a MAC and its time. It passes the gate: nobody has sops read another block
// than the one that was compared.
func (o *Opened) join(data []byte, mac, time string) ([]byte, error) {
	ours := o.ours()
	lines := strings.SplitAfter(string(ours.block), "\n")
	indent := strings.Repeat(" ", ours.says.Content[0].Column-1)
	above := strings.Count(string(ours.data), "\n") + 1
	lines[ours.mac.Line-above] = indent + "mac: " + mac + "\n"
	lines[ours.time.Line-above] = indent + "lastmodified: " + strconv.Quote(time) + "\n"
	file := append(data[:len(data):len(data)], strings.Join(lines, "")...)
	v, err := read("the merged file", file)
	if err == nil && differences(ours, v) != nil {
		err = errForm
	}
	if err == nil {
		err = sameSecrets(append(o.versions[:len(o.versions):len(o.versions)], v))
	}
	return file, err
}

// Seal is a merged file with a MAC that sops makes. What is above its sops block is taken as it is; the block is ours'.
func (o *Opened) Seal(merged []byte) ([]byte, error) {
	ours := o.ours()
	data := Above(merged)
	file, err := o.join(data, ours.mac.Value, ours.time.Value)
	if err != nil {
		return nil, fmt.Errorf("the merged file: %w", err)
	}
	f, err := newFolder()
	if err != nil {
		return nil, err
	}
	defer f.remove()
	written, err := f.reseal(file)
	if err != nil {
		return nil, fmt.Errorf("the merged file: %w", err)
	}
	v, err := read("", written)
	if err != nil || differences(ours, v) != nil {
		return nil, errors.New("sops wrote a file of another form")
	}
	if file, err = o.join(data, v.mac.Value, v.time.Value); err == nil {
		_, err = f.decrypt(file)
	}
	if err != nil {
		return nil, fmt.Errorf("the merged file: %w", err)
	}
	return file, nil
}
