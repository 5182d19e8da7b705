// Command tour writes the pictures of the documentation that show git and git-merge-yaml in a terminal:
// docs/conflict.svg, docs/demo.svg and docs/resolve.svg. It builds the program, runs it with git in a temporary repository, and draws the
// commands with their output. Run it at the top of the repository:
//
//	go run ./scripts/tour
//
// The pictures are the same in each run: names, dates and the environment are fixed.
package main

import (
	"log"
	"os"
	"path/filepath"
)

// pictures are the files that tour writes. Each draw function runs commands in a session and returns an SVG.
var pictures = []struct {
	file string
	draw func(*session) (string, error)
}{
	{filepath.Join("docs", "conflict.svg"), drawConflict},
	{filepath.Join("docs", "demo.svg"), drawDemo},
	{filepath.Join("docs", "resolve.svg"), drawQuestion},
}

func main() {
	log.SetFlags(0)
	log.SetPrefix("tour: ")
	for _, p := range pictures {
		text, err := drawPicture(".", p.draw)
		if err == nil {
			err = os.WriteFile(p.file, []byte(text), 0o666)
		}
		if err != nil {
			log.Fatal(err)
		}
	}
}

// drawPicture returns the result of draw in a new session. sources is the top of the repository.
func drawPicture(sources string, draw func(*session) (string, error)) (string, error) {
	s, err := newSession(sources)
	if err != nil {
		return "", err
	}
	defer s.close()
	return draw(s)
}
