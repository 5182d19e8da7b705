package main

import "strings"

// The three versions of the example in README.md.
const (
	webBase = `spec:
  replicas: 2
  template:
    spec:
      containers:
        - name: web
          image: registry.example.com/web:1.0
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
          image: registry.example.com/web:1.0
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
          image: registry.example.com/web:1.1
          env:
            # read by the new health check
            - name: HEALTH_PORT
              value: "8081"
            - name: LOG_LEVEL
              value: info
`
)

// drawDemo returns an SVG with two screens: the same merge by git without the driver, and by git with it. It
// returns an error if a command ends with another exit code than expected.
func drawDemo(s *session) (string, error) {
	if err := createDemoBranches(s); err != nil {
		return "", err
	}
	var before, after []frame
	run := func(screen *[]frame, line string, code int, seconds float64) error {
		out, err := s.run(line, "", code)
		*screen = append(*screen, frame{[]string{"$ " + line}, 1})
		if out = strings.TrimSuffix(out, "\n"); out != "" {
			*screen = append(*screen, frame{strings.Split(out, "\n"), seconds})
		}
		return err
	}
	for _, c := range []struct {
		screen  *[]frame
		line    string
		code    int
		seconds float64
	}{
		{&before, "git merge health-check", 1, 2},
		{&before, "cat web.yaml", 0, 6},
		{&after, "git merge --abort; git merge-yaml install >/dev/null", 0, 1},
		{&after, "git merge health-check", 0, 2},
		{&after, "cat web.yaml", 0, 7},
	} {
		if err := run(c.screen, c.line, c.code, c.seconds); err != nil {
			return "", err
		}
	}
	return renderSVG("git merge without and with git-merge-yaml", [][]frame{before, after}), nil
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
