package page

import (
	"regexp"
	"strings"
	"sync"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// pin is a reference that a hash fixes, as in actions/checkout@8f4b…; what it is of, first.
var pin = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^([^@\s]+)@(?:sha256:)?[[:xdigit:]]{40,64}$`)
})

// Pinned is the side whose pin the policy prefers. A hash says nothing of what is newer: the
// comment behind it does (# v4.3.0), which belongs to the pin.
func (c *Conflict) Pinned(versions [3]*syntax.Stream, p schema.Policy) (three.Side, bool) {
	var of, says [3]string
	for _, s := range three.Sides {
		e := c.Child.At[s]
		if e == nil || e.Value.Kind != syntax.Scalar {
			return three.Original, false
		}
		m := pin().FindStringSubmatch(e.Value.Value)
		if m == nil {
			return three.Original, false
		}
		of[s], says[s] = m[1], strings.TrimLeft(strings.TrimSpace(string(versions[s].File.Slice(e.Comment))), "# ")
	}
	if of[three.Dest] != of[three.Updated] {
		return three.Original, false
	}
	best, ok := p.Pick("", says[three.Dest], says[three.Updated])
	switch {
	case !ok || says[three.Dest] == says[three.Updated]:
		return three.Original, false
	case best == says[three.Dest]:
		return three.Dest, true
	}
	return three.Updated, true
}
