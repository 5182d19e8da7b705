package main

import (
	"fmt"
	"html"
	"regexp"
	"strings"
	"unicode/utf8"
)

// A frame is a group of lines that appear together, and the time in seconds until the next frame appears.
type frame struct {
	lines   []string
	seconds float64
}

const (
	rowHeight = 19
	margin    = 16
	charWidth = 8.45 // of a monospace font of 14px, rounded up
)

// renderSVG returns an animated SVG without a script. It shows the screens in turn, in an endless loop; within
// a screen, each frame appears below the previous one. A single frame is not animated. The colors follow the
// light or dark theme of the reader.
//
// The loop starts at the end of the last screen, because a static preview shows only the start of the
// animation. A reader who prefers reduced motion sees only the last screen.
func renderSVG(title string, screens [][]frame) string {
	total, rows, columns := 0.0, 0, 0
	for _, screen := range screens {
		n := 0
		for _, s := range screen {
			total += s.seconds
			n += len(s.lines)
			for _, l := range s.lines {
				columns = max(columns, utf8.RuneCountInString(l))
			}
		}
		rows = max(rows, n)
	}
	var rules, body strings.Builder
	start, number := 0.0, 0
	for i, screen := range screens {
		end := start
		for _, s := range screen {
			end += s.seconds
		}
		class := "early"
		if i == len(screens)-1 {
			class = "last"
		}
		row := 0
		for _, s := range screen {
			if total > s.seconds {
				fmt.Fprintf(&rules, "@keyframes s%d{0%%{opacity:0}%.2f%%{opacity:0}%.2f%%,%.2f%%{opacity:1}%.2f%%,100%%{opacity:0}}\n",
					number, percent(start, total), percent(start, total)+.01, percent(end, total)-.02, percent(end, total)-.01)
			}
			fmt.Fprintf(&body, "<g class=\"%s\" style=\"animation-name:s%d\">\n", class, number)
			for _, l := range s.lines {
				row++
				fmt.Fprintf(&body, "<text x=\"%d\" y=\"%d\">%s</text>\n", margin, margin+row*rowHeight-5, colorLine(l))
			}
			body.WriteString("</g>\n")
			start += s.seconds
			number++
		}
	}
	height, width := rows*rowHeight+2*margin, int(float64(columns)*charWidth)+2*margin
	return fmt.Sprintf(svgTemplate, width, height, html.EscapeString(title), total, rules.String(), body.String(), -max(total-2, 0))
}

// percent returns the position of time in total, in percent.
func percent(time, total float64) float64 { return time / total * 100 }

const svgTemplate = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %[1]d %[2]d" width="%[1]d" height="%[2]d" role="img" aria-label="%[3]s">
<title>%[3]s</title>
<style>
svg{--back:#fff;--line:#d1d9e0;--text:#1f2328;--faint:#59636e;--bad:#cf222e;--good:#1a7f37;--warm:#9a6700}
@media (prefers-color-scheme:dark){svg{--back:#0d1117;--line:#3d444d;--text:#f0f6fc;--faint:#9198a1;--bad:#ff7b72;--good:#3fb950;--warm:#d29922}}
rect{fill:var(--back);stroke:var(--line)}
text{font:14px/1 ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:var(--text);white-space:pre}
.p{fill:var(--faint)}.c{font-weight:bold}.b{fill:var(--bad)}.g{fill:var(--good)}.y{fill:var(--warm)}
g{animation-duration:%.1[4]fs;animation-delay:%.1[7]fs;animation-iteration-count:infinite;animation-timing-function:step-end}
.early{opacity:0}
@media (prefers-reduced-motion:reduce){g{animation:none}}
%[5]s</style>
<rect x=".5" y=".5" width="99.85%%" height="99.8%%" rx="8"/>
%[6]s</svg>
`

var (
	commentPattern = regexp.MustCompile(`(^|\s)#\s.*$`)
	errorPattern   = regexp.MustCompile(`^(<{7}|={7}|>{7}|CONFLICT|Automatic merge failed)`)
	versionPattern = regexp.MustCompile(`^ +(base|ours|theirs) \| `)
	mergedPattern  = regexp.MustCompile(`merged by field`)
)

// colorLine returns a line of a terminal as SVG text. It colors prompts, comments, versions in a question,
// conflict markers, and messages of conflicts and of merges by field.
func colorLine(line string) string {
	span := func(class, s string) string {
		return `<tspan class="` + class + `">` + html.EscapeString(s) + "</tspan>"
	}
	if m := versionPattern.FindStringSubmatch(line); m != nil {
		return span(map[string]string{"base": "p", "ours": "g", "theirs": "y"}[m[1]], line)
	}
	switch {
	case strings.HasPrefix(line, "$ "):
		return span("p", "$ ") + span("c", line[2:])
	case errorPattern.MatchString(line):
		return span("b", line)
	case mergedPattern.MatchString(line):
		return span("g", line)
	}
	if at := commentPattern.FindStringIndex(line); at != nil {
		return html.EscapeString(line[:at[0]]) + span("p", line[at[0]:])
	}
	return html.EscapeString(line)
}
