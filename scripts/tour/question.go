package main

import (
	"fmt"
	"strings"
)

// drawQuestion returns an SVG of the first question of "git merge-yaml resolve -i". It returns an error if the
// output of the command does not have the expected parts.
func drawQuestion(s *session) (string, error) {
	if err := createShopRepository(s); err != nil {
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
	return renderSVG(screen{title: "a question of git merge-yaml resolve -i", lines: lines}), nil
}
