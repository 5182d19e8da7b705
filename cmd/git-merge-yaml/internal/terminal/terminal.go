// Package terminal writes messages to the user and reads answers. It makes text safe to show, writes it in colours, and
// prompts for answers. It knows nothing about merges, and does not decide whether colours are used.
//
// EscapeLine and PrintLine make one line of text safe to show; paths and keys in it come from the repository and may
// contain control characters. A Painter writes lines in colours. An Asker writes a question and reads the answer.
// QuoteForShell and EncodeJSON write text for a shell and as JSON.
//
// For example, a file with the name "a\nb.yaml", in which a line feed follows the a, contains
//
//	image: "web:1\e[31m"
//
// where \e is the YAML escape for the ESC character. With the value read from the file,
//
//	terminal.PrintLine(os.Stdout, "%s: image is %s", name, value)
//
// writes a single line, and the colour of the terminal does not change:
//
//	a\nb.yaml: image is web:1\x1b[31m
package terminal

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/diff"
	"golang.org/x/term"
)

// IsTerminal reports whether stream is an *os.File that is a terminal. It reports false for all other types of stream.
func IsTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// A Size is the size of a screen in characters.
type Size struct {
	Lines, columns int // columns is 0 if lines may have any length
}

// ScreenSize returns the size of w. If w is not a terminal, the size is 24 lines of any length. If the size of the
// terminal is unknown, or is below 40 columns or 10 lines, ScreenSize returns 24 lines of 80 columns.
func ScreenSize(w io.Writer) Size {
	if !IsTerminal(w) {
		return Size{Lines: 24}
	}
	columns, lines, err := term.GetSize(int(w.(*os.File).Fd()))
	if err != nil || columns < 40 || lines < 10 {
		return Size{Lines: 24, columns: 80}
	}
	return Size{lines, columns}
}

// Truncate returns line, shortened to the columns of s if it is longer. A shortened line ends with "..." and has
// exactly as many characters as s has columns. line is returned unchanged if lines may have any length.
func (s Size) Truncate(line string) string {
	if r := []rune(line); s.columns > 0 && len(r) > s.columns {
		return string(r[:s.columns-3]) + "..."
	}
	return line
}

// Wrap returns text as lines that fit into the columns of s. It is broken at blanks, and all lines begin with indent,
// the following ones with four more blanks; a word that is too long for a line is not broken. It returns one line if
// lines may have any length.
func (s Size) Wrap(indent, text string) (lines []string) {
	line, isEmpty := indent, true
	for _, word := range strings.Split(text, " ") {
		if !isEmpty && s.columns > 0 && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > s.columns {
			lines = append(lines, line)
			line, isEmpty = indent+"    ", true
		}
		if !isEmpty {
			line += " "
		}
		line, isEmpty = line+word, false
	}
	return append(lines, line)
}

// A Colour is the parameter of the escape sequence with which a terminal changes its colour or font, such as 31 in
// ESC[31m. The empty Colour is the terminal's default.
type Colour string

// The colours and fonts that Painter.Print understands.
const (
	Plain  Colour = ""
	Bold   Colour = "1"
	Faint  Colour = "2"
	Red    Colour = "31"
	Green  Colour = "32"
	Yellow Colour = "33"
)

// A Painter writes lines in pieces, each of which may have a colour. Unprintable characters in the text are escaped.
type Painter struct {
	W       io.Writer
	Colours bool  // write escape sequences for colours
	Err     error // the first error of W; after it, nothing is written

	lineHasText bool // text other than blanks was written since the last line break
}

// ColoursAllowed reports whether the environment permits colours: NO_COLOR is not set or empty, and TERM is not "dumb".
func ColoursAllowed() bool { return os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" }

// Print writes pieces of the current line: strings, and Colours for the strings after them. Each call begins with
// Plain. It panics on a piece of any other type. The strings are escaped as by EscapeLine. The first error is stored in
// p.Err, and nothing is written after it.
//
//	p.Print("a.yaml: ", Red, "1 conflict", Plain, " left")
func (p *Painter) Print(pieces ...any) {
	colour := Plain
	for _, piece := range pieces {
		if c, ok := piece.(Colour); ok {
			colour = c
			continue
		}
		text := piece.(string)
		if p.lineHasText {
			text = escapeText(text)
		} else {
			text = EscapeLine(text)
		}
		p.lineHasText = p.lineHasText || strings.TrimSpace(text) != ""
		if p.Colours && colour != Plain {
			text = "\x1b[" + string(colour) + "m" + text + "\x1b[m"
		}
		p.writeRaw(text)
	}
}

// Println writes pieces, each a string or a Colour for the strings after it, and ends the line. Unprintable characters
// in the strings are escaped. It panics on a piece of any other type. Errors are stored in p.Err.
func (p *Painter) Println(pieces ...any) {
	p.Print(pieces...)
	p.lineHasText = false
	p.writeRaw("\n")
}

// writeRaw writes s without escapes. It does nothing after an error, and stores the first error in p.Err.
func (p *Painter) writeRaw(s string) {
	if p.Err == nil {
		_, p.Err = io.WriteString(p.W, s)
	}
}

// DiffHunks returns the unified diff of two texts, with three lines of context, without its file headers: it begins
// with the first "@@". It returns "" if the texts are identical. A missing line feed at the end is shown as by diff.
//
//	@@ -1,2 +1,2 @@
//	-image: web:1
//	+image: web:2
//	 replicas: 1
func DiffHunks(before, after []byte) string {
	text := string(diff.Diff("before", before, "after", after))
	if _, hunks, ok := strings.Cut(text, "\n@@ "); ok {
		return "@@ " + hunks
	}
	return text
}

// PrintHunks writes hunks, as returned by DiffHunks: added lines green, deleted lines red, the lines with "@@" faint,
// and all others without a colour. Unprintable characters are escaped. It writes nothing if hunks is "". Errors are
// stored in p.Err.
func (p *Painter) PrintHunks(hunks string) {
	for line := range strings.Lines(hunks) {
		colour := map[byte]Colour{'+': Green, '-': Red, '@': Faint}[line[0]]
		p.Println(colour, strings.TrimRight(line, "\r\n"))
	}
}

// ErrInterrupted is the error of an operation that the user stopped, for example with Ctrl-C.
var ErrInterrupted = errors.New("interrupted")

// ErrQuit is the error of Choose and AskYesNo if the user answered "quit".
var ErrQuit = errors.New("quit")

// An Asker writes questions to Out and reads answers from In, one answer a line.
type Asker struct {
	In       io.Reader
	Out      *Painter
	QuitHelp string // the help for the answer "quit"; "" means "quit, and keep the answers so far"
}

// ask writes a prompt and returns the next line of In, without the blanks around it. The answer may be "". If In is not
// a terminal, the answer is also written to Out. The error is io.EOF if the input has ended, or an error of In or Out.
// ask reads no byte beyond the line, so an editor that is started afterwards can read the rest.
func (a *Asker) ask(prompt string) (answer string, err error) {
	a.Out.Print(Bold, prompt)
	a.Out.writeRaw(" ")
	if a.Out.Err != nil {
		return "", a.Out.Err
	}
	answer, err = bufio.NewReader(oneByteReader{a.In}).ReadString('\n')
	if err == io.EOF && answer != "" {
		err = nil
	}
	answer = strings.TrimSuffix(answer, "\n")
	if err != nil || !IsTerminal(a.In) { // a terminal shows the answer itself
		a.Out.Println(answer)
	}
	return strings.TrimSpace(answer), err
}

// oneByteReader reads at most one byte at a time, so that a bufio.Reader does not read ahead.
type oneByteReader struct{ io.Reader }

func (r oneByteReader) Read(p []byte) (int, error) { return r.Reader.Read(p[:1]) }

// A Choice is one possible answer to a question. The user types Letter or Word, both in lower case here. Help explains
// the answer.
type Choice struct{ Letter, Word, Help string }

// Choose repeats the question until the answer is the Letter or the Word of one of the choices, in upper or lower case,
// and returns the Word. The prompt lists the letters, as in "Take [o,t,q,?]?". Choose adds the choices "quit", for
// which the error is ErrQuit, and "help", which prints the help of all choices, as any other answer does. Other errors
// are those of ask.
func (a *Asker) Choose(question string, choices []Choice) (word string, err error) {
	choices = append(slices.Clip(choices), Choice{"q", "quit", cmp.Or(a.QuitHelp, "quit, and keep the answers so far")}, Choice{"?", "help", "print help"})
	letters := make([]string, len(choices))
	for i, c := range choices {
		letters[i] = c.Letter
	}
	for {
		answer, err := a.ask(question + " [" + strings.Join(letters, ",") + "]?")
		if err != nil {
			return "", err
		}
		answer = strings.ToLower(answer)
		i := slices.IndexFunc(choices, func(c Choice) bool { return answer == c.Letter || answer == c.Word })
		switch {
		case i < 0 && answer != "":
			a.Out.Println(fmt.Sprintf("unknown answer %q; use one of these:", answer))
		case i == len(choices)-2:
			return "", ErrQuit
		case 0 <= i && i < len(choices)-2:
			return choices[i].Word, nil
		}
		for _, c := range choices {
			a.Out.Println(c.Letter + " - " + c.Help)
		}
	}
}

// AskYesNo prints a question and reads answers until one is "yes" or "no", or y or n. The error is ErrQuit if the user
// answers "quit", io.EOF if the input has ended, or an error of In or Out; isYes is false then.
func (a *Asker) AskYesNo(question string) (isYes bool, _ error) {
	word, err := a.Choose(question, []Choice{{"y", "yes", "yes"}, {"n", "no", "no"}})
	return word == "yes", err
}
