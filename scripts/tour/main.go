// Command tour writes the pictures that show the program at work on real git:
// docs/demo.svg and docs/resolve.svg. Run it at the top of the sources:
//
//	go run ./scripts/tour
package main

import (
	"log"
	"os"
	"path/filepath"
)

// stories are the documents and what tells them.
var stories = []struct {
	file string
	tell func(*session) (string, error)
}{
	{filepath.Join("docs", "demo.svg"), demo},
	{filepath.Join("docs", "resolve.svg"), question},
}

func main() {
	log.SetFlags(0)
	log.SetPrefix("tour: ")
	for _, story := range stories {
		text, err := told(".", story.tell)
		if err == nil {
			err = os.WriteFile(story.file, []byte(text), 0o666)
		}
		if err != nil {
			log.Fatal(err)
		}
	}
}

// told tells a story in a session of its own.
func told(top string, tell func(*session) (string, error)) (string, error) {
	s, err := newSession(top)
	if err != nil {
		return "", err
	}
	defer s.close()
	return tell(s)
}
