package three

// A Problem says what of an input is not what a rule set needs.
type Problem struct {
	Side Side
	Off  int // where it stands
	Text string
}

func (p *Problem) Error() string { return p.Text }
