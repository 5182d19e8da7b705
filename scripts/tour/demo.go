package main

import "strings"

// The three versions of the pictures at the top of README.md.
const (
	webBase = `spec:
  replicas: 2
  template:
    spec:
      containers:
        - name: web
          image: example.com/web:1.0
          env:
            - name: LOG_LEVEL
              value: info
`
	webOurs = `spec:
  replicas: 5 # the sale starts on Friday
  template:
    spec:
      containers:
        - name: web
          image: example.com/web:1.0
          env:
            - name: LOG_LEVEL # noisy, on purpose
              value: debug
`
	webTheirs = `spec:
  replicas: 2
  template:
    spec:
      containers:
        - name: web
          image: example.com/web:1.1
          env:
            # read by the new health check
            - name: HEALTH_PORT
              value: "8081"
            - name: LOG_LEVEL
              value: info
`
)

// drawConflict returns an SVG of the merge by git without the driver. It returns an error if the merge is clean.
func drawConflict(s *session) (string, error) { return drawMerge(s, "git merge", "", 1) }

// drawDemo returns an SVG of the same merge by git with the driver. It returns an error if a conflict is left.
func drawDemo(s *session) (string, error) {
	return drawMerge(s, "git merge with git-merge-yaml", "git merge-yaml install", 0)
}

// drawMerge creates the demo repository, runs a command that prepares it unless the command is empty, and returns
// an SVG of the merge of health-check and of its result. It returns an error if git merge exits with another code.
func drawMerge(s *session, title, prepare string, code int) (string, error) {
	if err := createDemoBranches(s); err != nil {
		return "", err
	}
	if prepare != "" {
		if _, err := s.run(prepare, "", 0); err != nil {
			return "", err
		}
	}
	// 24 lines and the heading are what the longer of the two has.
	picture := screen{title: title, heading: title, columns: 50, rows: 25}
	for _, c := range []struct {
		line string
		code int
	}{{"git merge health-check", code}, {"cat web.yaml", 0}} {
		out, err := s.run(c.line, "", c.code)
		if err != nil {
			return "", err
		}
		picture.lines = append(picture.lines, "$ "+c.line)
		picture.lines = append(picture.lines, strings.Split(strings.TrimSuffix(out, "\n"), "\n")...)
	}
	return renderSVG(picture), nil
}

// createDemoBranches creates a repository with the branches main, which is checked out, and health-check.
func createDemoBranches(s *session) error {
	if _, err := s.run("git init -q -b main", "", 0); err != nil {
		return err
	}
	for _, c := range []struct{ branch, message, text string }{
		{"main", "Deploy web", webBase},
		{"health-check", "Check the health", webTheirs},
		{"main", "Scale up for the sale", webOurs},
	} {
		if _, err := s.run("git checkout -q -B "+c.branch+" $(git rev-parse -q --verify main)", "", 0); c.text != webBase && err != nil {
			return err
		}
		if err := s.commit("Ada", c.message, map[string]string{"web.yaml": c.text}); err != nil {
			return err
		}
	}
	return nil
}
