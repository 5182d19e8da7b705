package git

import (
	"bufio"
	"crypto/sha1"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/cache"
	"github.com/go-git/go-git/v5/plumbing/format/idxfile"
	"github.com/go-git/go-git/v5/plumbing/format/objfile"
	"github.com/go-git/go-git/v5/plumbing/format/packfile"
)

// packs reads objects with the formats of go-git, over the object folder
// alone: that needs neither configuration nor references, in which go-git
// differs from git. go-git's own storage would hold the indexes once for each
// reader, and reading configuration files costs every start of the program.
type packs struct {
	dir     string
	indexes []index
	// readers are those at rest; each is used by one goroutine at a time.
	readers chan *packReader
}

// An index says where in a pack its objects are.
type index struct {
	pack string // path
	*idxfile.MemoryIndex
}

// A packReader has the packs open from which it has read, by index.
type packReader struct {
	open  []*packfile.Packfile
	cache cache.Object
}

const (
	// maxIndexes is the size of all indexes above which git reads: in memory
	// they take about three times as much.
	maxIndexes = 256 << 20
	// packCache is the memory for the bases of deltas, in each reader.
	packCache  = 32 * cache.MiByte
	maxReaders = 8
)

var errNotInProcess = errors.New("not readable in this process")

// openPacks opens the object folder; nil where it cannot be read here.
func openPacks(g Git) *packs {
	dir, err := g.Line("rev-parse", "--git-path", "objects")
	if err != nil || alternates(dir) {
		return nil
	}
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(g.Dir, dir)
	}
	p := &packs{dir: dir}
	if err := p.readIndexes(); err != nil {
		return nil
	}
	n := min(maxReaders, runtime.GOMAXPROCS(0))
	p.readers = make(chan *packReader, n)
	for range n {
		p.readers <- &packReader{open: make([]*packfile.Packfile, len(p.indexes)), cache: cache.NewObjectLRU(packCache)}
	}
	return p
}

// alternates reports whether objects stand in other folders too.
func alternates(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, "info", "alternates"))
	return err == nil || os.Getenv("GIT_ALTERNATE_OBJECT_DIRECTORIES") != ""
}

func (p *packs) readIndexes() error {
	files, err := filepath.Glob(filepath.Join(p.dir, "pack", "*.idx"))
	if err != nil {
		return err
	}
	var size int64
	for _, f := range files {
		info, err := os.Stat(f)
		if err != nil {
			return err
		}
		size += info.Size()
	}
	if size > maxIndexes {
		return errNotInProcess
	}
	for _, f := range files {
		idx, err := readIndex(f)
		if err != nil {
			return err
		}
		p.indexes = append(p.indexes, index{strings.TrimSuffix(f, "idx") + "pack", idx})
	}
	return nil
}

func readIndex(file string) (*idxfile.MemoryIndex, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	idx := idxfile.NewMemoryIndex()
	return idx, idxfile.NewDecoder(bufio.NewReader(f)).Decode(idx)
}

// read returns the content of an object. A panic of go-git is an error here.
func (p *packs) read(t objectType, id ID) (data []byte, err error) {
	if p == nil || len(id) != sha1.Size {
		return nil, errNotInProcess
	}
	r := <-p.readers
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("go-git: %v", r)
		}
		p.readers <- r
	}()
	hash := plumbing.Hash([]byte(id))
	for i, idx := range p.indexes {
		offset, err := idx.FindOffset(hash)
		if err != nil {
			continue
		}
		pack, err := r.pack(i, idx)
		if err != nil {
			return nil, err
		}
		o, err := pack.GetByOffset(offset)
		if err != nil {
			return nil, err
		}
		return content(o, t)
	}
	return p.loose(t, id)
}

// pack returns pack number i.
func (r *packReader) pack(i int, idx index) (*packfile.Packfile, error) {
	if r.open[i] == nil {
		f, err := os.Open(idx.pack)
		if err != nil {
			return nil, err
		}
		r.open[i] = packfile.NewPackfileWithCache(idx, nil, unlocked{f}, r.cache, 0)
	}
	return r.open[i], nil
}

// content returns a copy of an object's content: the cache has the object too.
func content(o plumbing.EncodedObject, want objectType) ([]byte, error) {
	if o.Type().String() != string(want) {
		return nil, errNotInProcess
	}
	r, err := o.Reader()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	data := make([]byte, o.Size())
	_, err = io.ReadFull(r, data)
	return data, err
}

// loose reads an object that has a file of its own.
func (p *packs) loose(want objectType, id ID) ([]byte, error) {
	hex := id.String()
	f, err := os.Open(filepath.Join(p.dir, hex[:2], hex[2:]))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r, err := objfile.NewReader(f)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	t, size, err := r.Header()
	if err != nil || t.String() != string(want) {
		return nil, errors.Join(err, errNotInProcess)
	}
	data := make([]byte, size)
	_, err = io.ReadFull(r, data)
	return data, err
}

// close closes the packs; no reader may be at work.
func (p *packs) close() {
	if p == nil {
		return
	}
	for range len(p.readers) {
		for _, pack := range (<-p.readers).open {
			if pack != nil {
				pack.Close()
			}
		}
	}
}

// unlocked is a file as go-git wants it; one that is only read needs no locks.
type unlocked struct{ *os.File }

func (unlocked) Lock() error   { return nil }
func (unlocked) Unlock() error { return nil }
