package show

import (
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// A Question is what resolve asks of somebody who is no person at a terminal.
type Question struct {
	ID, File      string
	Conflict      merge.Conflict
	Why           string
	Before, After []string // the lines around it
	Answers       []merge.Take
	Ours, Theirs  string // who they are
	Unverified    string // why no answer is verified, "" if each is
}

// Question writes an object of q.
func (j JSON) Question(q Question) error {
	c := jsonConflictOf(q.Conflict)
	c.Why = q.Why
	type sides struct {
		Ours   string `json:"ours"`
		Theirs string `json:"theirs"`
	}
	return terminal.NewEncoder(j.W).Encode(struct {
		Type string `json:"type"`
		ID   string `json:"id"`
		File string `json:"file"`
		jsonConflict
		Before     []string     `json:"before,omitempty"`
		After      []string     `json:"after,omitempty"`
		Answers    []merge.Take `json:"answers"`
		Sides      sides        `json:"sides"`
		Unverified string       `json:"unverified,omitempty"`
	}{"question", q.ID, q.File, c, q.Before, q.After, q.Answers, sides{q.Ours, q.Theirs}, q.Unverified})
}

// Refused writes an object of an answer that was not taken; of one to no question that is
// open, file and path are "".
func (j JSON) Refused(id, file, path, why string) error {
	return terminal.NewEncoder(j.W).Encode(struct {
		Type string `json:"type"`
		ID   string `json:"id"`
		File string `json:"file,omitempty"`
		Path string `json:"path,omitempty"`
		Why  string `json:"why"`
	}{"refused", id, file, path, why})
}
