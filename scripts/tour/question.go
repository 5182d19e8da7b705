package main

import (
	"fmt"
	"strings"
)

// question is a picture of what resolve -i asks.
func question(s *session) (string, error) {
	if err := shopRepository(s); err != nil {
		return "", err
	}
	if _, err := s.run("git merge-yaml install && git merge -q release", "", 1); err != nil {
		return "", err
	}
	out, err := s.run("git merge-yaml resolve -i", "h\nq\n", 1)
	if err != nil {
		return "", err
	}
	_, shown, found := strings.Cut(out, "staged\n\n")
	shown, _, ended := strings.Cut(shown, "q\n")
	if !found || !ended {
		return "", fmt.Errorf("resolve -i shows something else:\n%s", out)
	}
	lines := strings.Split("$ git merge-yaml resolve -i\n"+shown, "\n")
	return svg("a question of git merge-yaml resolve -i", [][]step{{{lines, 1}}}), nil
}
