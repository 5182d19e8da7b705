package learn

import (
	"encoding/json"
	"os"
	"path/filepath"
	"time"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/disk"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/replay"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// format is the form of the cache, and of how decisions are read.
const format = 2

// A cache is what was read of the history of a commit. What cannot be read of it
// counts as nothing, and is written anew.
type cache struct {
	file      string
	Format    int      `json:"format"`
	Head      string   `json:"head"`
	Decisions []cached `json:"decisions"`
}

type cached struct {
	Merge    string       `json:"m"`
	Time     int64        `json:"t"`
	Path     string       `json:"p"`
	Resource string       `json:"r,omitempty"`
	Field    string       `json:"f"`
	Offered  []merge.Take `json:"o"`
	Taken    []merge.Take `json:"k"`
	Own      merge.Own    `json:"w,omitempty"`
	Items    merge.Items  `json:"i,omitempty"`
}

// openCache reads the cache of a repository, which all of its work trees share.
func openCache(g git.Git) *cache {
	c := &cache{}
	dir, err := g.Line("rev-parse", "--git-common-dir")
	if err != nil {
		return c
	}
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(g.Dir, dir)
	}
	file := filepath.Join(dir, "merge-yaml", "decisions.json")
	data, err := os.ReadFile(file)
	if err != nil || json.Unmarshal(data, c) != nil || c.Format != format {
		c = &cache{}
	}
	if _, err := git.ParseID(c.Head); err != nil {
		c = &cache{}
	}
	c.file = file
	return c
}

func (c *cache) decisions() (all []replay.Decision) {
	for _, d := range c.Decisions {
		id, err := git.ParseID(d.Merge)
		if err != nil {
			continue
		}
		all = append(all, replay.Decision{
			Merge: id, Time: time.Unix(d.Time, 0).UTC(), Path: d.Path, Own: d.Own,
			Choice: merge.Choice{Resource: d.Resource, Field: d.Field, Offered: d.Offered, Taken: d.Taken, Items: d.Items},
		})
	}
	return all
}

// save writes the cache. A repository that cannot be written to has none.
func (c *cache) save(head string, all []replay.Decision) {
	if c.file == "" {
		return
	}
	c.Format, c.Head, c.Decisions = format, head, nil
	for _, d := range all {
		c.Decisions = append(c.Decisions, cached{
			d.Merge.String(), d.Time.Unix(), d.Path, d.Resource, d.Field, d.Offered, d.Taken, d.Own, d.Items,
		})
	}
	data, err := json.Marshal(c)
	if err == nil && os.MkdirAll(filepath.Dir(c.file), 0o777) == nil {
		_ = disk.ReplaceOrMake(c.file, data)
	}
}
