package main

import (
	"fmt"
	"html"
	"regexp"
	"strings"
	"unicode/utf8"
)

const (
	rowHeight = 19
	margin    = 16
	charWidth = 8.45 // of a monospace font of 14px, rounded up
)

// A screen is the text of a terminal.
type screen struct {
	title   string // for programs that read the picture aloud
	heading string // the first row, or empty for none
	lines   []string
	columns int // longer lines are wrapped at a blank; 0 for the length of the longest line
	rows    int // the least number of rows
}

// renderSVG returns an SVG of a screen. Its colors follow the light or dark theme of the reader. They do not use var(),
// which only browsers know; other programs draw the light theme.
func renderSVG(s screen) string {
	columns := s.columns
	if columns == 0 {
		for _, l := range s.lines {
			columns = max(columns, utf8.RuneCountInString(l))
		}
	}
	var body strings.Builder
	row := 0
	write := func(text string) {
		row++
		fmt.Fprintf(&body, "<text x=\"%d\" y=\"%d\">%s</text>\n", margin, margin+row*rowHeight-5, text)
	}
	if s.heading != "" {
		write(`<tspan class="h">` + html.EscapeString(s.heading) + "</tspan>")
	}
	for _, l := range s.lines {
		color := lineColor(l)
		for _, part := range wrapLine(l, columns) {
			write(color(part))
		}
	}
	height, width := max(row, s.rows)*rowHeight+2*margin, int(float64(columns)*charWidth)+2*margin
	return fmt.Sprintf(svgTemplate, width, height, html.EscapeString(s.title), body.String())
}

// wrapLine returns the parts of a line that has more than n characters, broken at blanks, and otherwise the line.
func wrapLine(line string, n int) (parts []string) {
	for utf8.RuneCountInString(line) > n {
		at := strings.LastIndex(line[:n+1], " ")
		if at <= 0 {
			break
		}
		parts = append(parts, line[:at])
		line = line[at+1:]
	}
	return append(parts, line)
}

const svgTemplate = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %[1]d %[2]d" width="%[1]d" height="%[2]d" role="img" aria-label="%[3]s">
<title>%[3]s</title>
<style>
rect{fill:#fff;stroke:#d1d9e0}
text{font:14px/1 ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:#1f2328;white-space:pre}
.p,.h{fill:#59636e}.c,.h{font-weight:bold}.b{fill:#cf222e}.g{fill:#1a7f37}.y{fill:#9a6700}
@media (prefers-color-scheme:dark){rect{fill:#0d1117;stroke:#3d444d}text{fill:#f0f6fc}.p,.h{fill:#9198a1}.b{fill:#ff7b72}.g{fill:#3fb950}.y{fill:#d29922}}
</style>
<rect x=".5" y=".5" width="99.85%%" height="99.8%%" rx="8"/>
%[4]s</svg>
`

var (
	commentPattern = regexp.MustCompile(`(^|\s)#\s.*$`)
	errorPattern   = regexp.MustCompile(`^(<{7}|={7}|>{7}|CONFLICT|Automatic merge failed)`)
	versionPattern = regexp.MustCompile(`^ +(base|ours|theirs) \| `)
	mergedPattern  = regexp.MustCompile(`merged by field`)
)

// lineColor returns the function that writes a part of a line of a terminal as SVG text. It colors prompts, comments,
// versions in a question, conflict markers, and messages of conflicts and of merges by field.
func lineColor(line string) func(string) string {
	span := func(class, s string) string {
		return `<tspan class="` + class + `">` + html.EscapeString(s) + "</tspan>"
	}
	whole := func(class string) func(string) string {
		return func(s string) string { return span(class, s) }
	}
	if m := versionPattern.FindStringSubmatch(line); m != nil {
		return whole(map[string]string{"base": "p", "ours": "g", "theirs": "y"}[m[1]])
	}
	switch {
	case strings.HasPrefix(line, "$ "):
		return func(s string) string {
			if rest, ok := strings.CutPrefix(s, "$ "); ok {
				return span("p", "$ ") + span("c", rest)
			}
			return span("c", s)
		}
	case errorPattern.MatchString(line):
		return whole("b")
	case mergedPattern.MatchString(line):
		return whole("g")
	}
	return func(s string) string {
		if at := commentPattern.FindStringIndex(s); at != nil {
			return html.EscapeString(s[:at[0]]) + span("p", s[at[0]:])
		}
		return html.EscapeString(s)
	}
}
