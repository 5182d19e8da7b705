package template

import (
	"slices"
	"text/template/parse"
)

// Torn returns why a result is no template any more, in a file of actions, wherever these
// stand: an action without its end, a block that is not closed, an else without an if. It
// is nil where that is so of a version too.
func Torn(versions [3][]byte, result []byte) error {
	l := languageOf(result)
	if l == nil {
		return nil
	}
	err := l.torn(result)
	if err != nil && slices.ContainsFunc(versions[:], func(b []byte) bool { return l.torn(b) != nil }) {
		return nil
	}
	return err
}

// torn returns why data is no template.
func (l *language) torn(data []byte) error {
	all, err := l.actions(data)
	if err == nil {
		_, err = nested(data, all)
	}
	if err == nil {
		err = parsed(data)
	}
	return err
}

// parsed returns why b is no template of Go. Functions are not looked up.
func parsed(b []byte) error {
	t := parse.New("file")
	t.Mode = parse.SkipFuncCheck
	_, err := t.Parse(string(b), "", "", map[string]*parse.Tree{})
	return err
}
