package main

import (
	"fmt"
	"html"
	"regexp"
	"strings"
	"unicode/utf8"
)

// A step is lines that appear at once and stay for some seconds before the
// next ones do.
type step struct {
	lines   []string
	seconds float64
}

const (
	rowHeight = 19
	margin    = 16
	charWidth = 8.45 // of 14px monospace, with a little room
)

// svg draws screens one after the other, over and over; a single step stands
// still. It needs no script, follows the reader's light or dark theme, and shows
// the last screen to those who want no motion, and for the first seconds to
// all, as a picture of the whole may show no more than its beginning.
func svg(title string, screens [][]step) string {
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
	at, number := 0.0, 0
	for i, screen := range screens {
		end := at
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
					number, percent(at, total), percent(at, total)+.01, percent(end, total)-.02, percent(end, total)-.01)
			}
			fmt.Fprintf(&body, "<g class=\"%s\" style=\"animation-name:s%d\">\n", class, number)
			for _, l := range s.lines {
				row++
				fmt.Fprintf(&body, "<text x=\"%d\" y=\"%d\">%s</text>\n", margin, margin+row*rowHeight-5, coloured(l))
			}
			body.WriteString("</g>\n")
			at += s.seconds
			number++
		}
	}
	height, width := rows*rowHeight+2*margin, int(float64(columns)*charWidth)+2*margin
	return fmt.Sprintf(document, width, height, html.EscapeString(title), total, rules.String(), body.String(), -max(total-2, 0))
}

func percent(at, total float64) float64 { return at / total * 100 }

const document = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %[1]d %[2]d" width="%[1]d" height="%[2]d" role="img" aria-label="%[3]s">
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
	comment = regexp.MustCompile(`(^|\s)#\s.*$`)
	bad     = regexp.MustCompile(`^(<{7}|={7}|>{7}|CONFLICT|Automatic merge failed)`)
	gutter  = regexp.MustCompile(`^ +(base|ours|theirs) \| `)
	good    = regexp.MustCompile(`merged by field`)
)

// coloured is a line as SVG text.
func coloured(line string) string {
	span := func(class, s string) string {
		return `<tspan class="` + class + `">` + html.EscapeString(s) + "</tspan>"
	}
	if m := gutter.FindStringSubmatch(line); m != nil {
		return span(map[string]string{"base": "p", "ours": "g", "theirs": "y"}[m[1]], line)
	}
	switch {
	case strings.HasPrefix(line, "$ "):
		return span("p", "$ ") + span("c", line[2:])
	case bad.MatchString(line):
		return span("b", line)
	case good.MatchString(line):
		return span("g", line)
	}
	if at := comment.FindStringIndex(line); at != nil {
		return html.EscapeString(line[:at[0]]) + span("p", line[at[0]:])
	}
	return html.EscapeString(line)
}
