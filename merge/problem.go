package merge

// A problem says what of an input is not what a rule set needs.
type problem struct {
	side side
	off  int // where it stands
	text string
}

func (p *problem) Error() string { return p.text }
