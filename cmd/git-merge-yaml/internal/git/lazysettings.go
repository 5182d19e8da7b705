package git

import "strings"

// LazySettings are what git is configured to for some keys. Git is asked once,
// for all of them, and only where the files of its configuration may set the
// one that is wanted: a merge that needs none runs no process.
type LazySettings struct {
	git    Git
	keys   []string
	glance *glance           // once it is taken
	values map[string]string // once git is asked
}

// LazySettings returns the settings of keys, unread.
func (g Git) LazySettings(keys ...string) *LazySettings {
	return &LazySettings{git: g, keys: keys}
}

// MayBeSet reports whether git may have a setting, without asking it.
func (s *LazySettings) MayBeSet(key string) bool {
	if s.glance == nil {
		s.glance = glanceAt(s.git.Dir)
	}
	return s.glance.may(key)
}

// Value returns what git is configured to for one of the keys, "" if that is
// nothing or git cannot say it.
func (s *LazySettings) Value(key string) string {
	if !s.MayBeSet(key) {
		return ""
	}
	if s.values == nil {
		s.values, _ = s.git.Settings(s.keys...)
	}
	return s.values[strings.ToLower(key)]
}
