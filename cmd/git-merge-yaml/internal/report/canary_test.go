package report

import (
	"encoding/base64"
	"errors"
	"flag"
	"fmt"
	"math/rand"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// tokens are all that YAML's grammar has room for a word in, as entries of a block
// mapping. A letter in guillemets says how a canary is written there: «w» as it is,
// «x», «u» and «U» as escapes, «j» as JSON's, «J» as JSON's in double quotes, «p»
// in percents, «b» in base 64; «a» is in ASCII, and «r» the last of these once more.
var tokens = strings.Split(`k: «w»
k: «w» «w»:«w»#«w»
k: «w»
  «w»

  "«w» !!«w» %«w»
k: '«w»'
k: '«w»''«w»'
k: 'C:\n«w»\«w»\x41«w»\u0041«w»'
k: '«w»
  \n«w»

  «w»'
k: "«w»"
k: "«x»«u»«U»\n«w»\t«u»\\n«w»\"«w»\N«w»\_«x»"
k: "«w»\/«u»"
k: "«w»\
  \ «u»
  «x»

  !!«w» %«w»"
k: |
  «w» \n«w»
  # «w»
   !!«w» %TAG «w» "«u»"
  %YAML «w»
k: >-
  «w»
  «w»

    «w»
k: |2+
   «w»
  «w»

k: >1- # «w»
 «w»
k: &«a» «w»
l: *«r»
k: !«a» «w»
k: !!«a» «w»
k: !!str «w»
k: !!str«a» «w»
k: !<tag:«a»,2002:«a»> "«u»"
k: !«p»%21«a» «w»
k: !<«p»> '«w»'
k: !!binary «b»
k: # «w» !!«w» %«p» "«u»"
  «w» # !!str «w» \n«w»
# «w»: "«u»" !!«w» %TAG «w»
"«u»": «w»
'«w»\n': «w»
«w»: # «w»
  «w»: «w»
  "«x»": &«a»
    - «w»
    -  - «w»
    - "«w»": «w»
? «w»
: «w»
? "«u»" # «w»
: |
  «w»
? |
  «w»
: - «w»
? [«w», "«u»"]
: {«w»: '«w»'}
k: [«w», "«x»", '«w»', !«a» «w», &«a» «w», «w»: «w»] # «w»
k: {"«w»":"«u»\n","«u»":["«w»",'«w»'],"k":«w»}
k: {«w»: «w», # «w»
  «w»: [«w»,
    "«w»
    «u»"], ? «w» : «w»,
  «w» «w»
    «w», "«w»": {}}
k:
  - name: «w»
    value: "«u»"
  - name: «w»
    value: |-
      «w»
k: 2001-12-14 «w»
k: 0x1F«w»
k: https://«w».example.com/%20«w»?«w»=%41#«w»
k: '{"«w»": "«j»\n«w»", "«j»": []}'
k: "{\"«w»\": \"«J»\\n«w»\", \"«J»\": []}"
k: |
  {"«w»": "«j»\n«w»"}
k: {{ .Values.«w» | quote }} # «w»
k: "{{ «w» "«w»" }}"
<<: {«w»: «w»}
"k" : "«w»\"\\"
'k''«w»': ""
`, "\n")

// heads are what stands in front of the first document; the last ends it.
var heads = []string{"", "", "", "%YAML 1.2\n---\n", "%TAG !«a»! tag:«a»,2000:«p»\n---\n", "%TAG !! !«a»\n%YAML 1.1 # «w»\n--- # «w»\n",
	"%«w» «w» «p»\n---\n", "# «w»\n--- !!map # «w»\n", "\ufeff# «w»\n", "--- # «w»\nk: «w»\n... # «w»\n---\n"}

// A nest has canaries, all that is known of what has to go.
type nest struct {
	*rand.Rand
	canaries []string
	ascii    string
}

// alphabets are what words are made of.
var alphabets = []string{"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", "абвгдеёжзийклмнопрстуфхцчшщъыьэюяАБВ", "äöüßéèêñçøåÆÐþ", "漢字仮名交文日本語中国話", "कखगघङचछजझञािीुूेैोौ्", "🐤🐥🐦🐧🐔🦆🦅🦉🦜", "abcäбв漢क🐤xyz"}

// canary is a new one, six letters long, the first of which is the alphabet's.
func (n *nest) canary(alphabet string) string {
	letters := []rune(alphabet)
	c := []rune{letters[0]}
	for len(c) < 6 {
		c = append(c, letters[n.Intn(len(letters))])
	}
	n.canaries = append(n.canaries, string(c))
	return string(c)
}

const teamRules = `# «w»
requires: ">=0.4" # «w»
extends: helm
crds: [«w»/*.yaml]
rules:
  - name: «w»
    files: ['«w»/**', "«u»*"]
    kinds: [K«a», apps/K«a», core/K«a»]
    lists:
      «w».«w»: {keys: [«w», «a»], defaults: {«r»: «w»}}
      "**.«u»": {separators: ["="]}
      «w»[*].«w»: atomic
    oneOf: {«w».*: [«w», «w»]}
    images: [«w».image, "**.«w»"]
    fields:
      «w».«w»: highest
      "«x».*": own
`

var room = regexp.MustCompile("«(.)»")

// fill puts a canary into each place of a text that has room for one.
func (n *nest) fill(s string) string {
	return room.ReplaceAllStringFunc(s, func(m string) string {
		kind := room.FindStringSubmatch(m)[1]
		if kind == "a" {
			n.ascii = n.canary(alphabets[0])
		}
		if kind == "a" || kind == "r" {
			return n.ascii
		}
		c := n.canary(alphabets[n.Intn(len(alphabets))])
		switch kind {
		case "w":
			return c
		case "p":
			return strings.ReplaceAll(fmt.Sprintf(" % X", c), " ", "%")
		case "b":
			return base64.StdEncoding.EncodeToString([]byte(c))
		default:
			return escaped(c, kind)
		}
	})
}

// escaped writes each letter as an escape of a kind, or one that has room for it.
func escaped(s, kind string) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case kind == "j" || kind == "J":
			for _, unit := range utf16.Encode([]rune{r}) {
				fmt.Fprintf(&b, strings.Repeat(`\`, strings.Index("jJ", kind)+1)+"u%04x", unit)
			}
		case r > 0xffff || kind == "U":
			fmt.Fprintf(&b, `\U%08X`, r)
		case r > 0xff || kind == "u":
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			fmt.Fprintf(&b, `\x%02X`, r)
		}
	}
	return b.String()
}

// entries splits tokens where an entry begins: its lines are indented, or go with
// the line before.
func entries() (all []string) {
	for _, line := range tokens {
		with := line == "" || strings.ContainsAny(line[:1], " :") || strings.HasPrefix(line, "l:")
		if with {
			all[len(all)-1] += line + "\n"
		} else {
			all = append(all, line+"\n")
		}
	}
	return all
}

// report is a merge of files of a few entries, of which each side changed some.
func (n *nest) report() *Report {
	all := entries()
	head := heads[n.Intn(len(heads))]
	var versions [3]strings.Builder
	head = n.fill(head)
	for i := range versions {
		versions[i].WriteString(head)
	}
	for k := range 2 + n.Intn(5) {
		e := strings.Replace(all[n.Intn(len(all))], "k:", fmt.Sprintf("k%d:", k), 1)
		was := n.fill(e)
		changed := n.Intn(5)
		for i := range versions {
			if i > 0 && (changed == i || changed == 3) {
				versions[i].WriteString(n.fill(e))
			} else {
				versions[i].WriteString(was)
			}
		}
	}
	r := &Report{Path: n.fill("«w»/«w»-x.«w».yaml"), Committed: []byte(n.fill(versions[0].String() + "«w»: «w»\n"))}
	r.Base, r.Ours, r.Theirs = []byte(versions[0].String()), []byte(versions[1].String()), []byte(versions[2].String())
	if n.Intn(3) == 0 {
		r.Rules = []byte(n.fill(teamRules))
	}
	form := forms[n.Intn(len(forms))]
	for _, b := range []*[]byte{&r.Base, &r.Ours, &r.Theirs, &r.Committed} {
		*b = []byte(form(string(*b)))
	}
	for _, c := range n.canaries {
		n.canaries = append(n.canaries, form(c))
	}
	return r
}

// forms are those of whole files: line ends, and an encoding that is no UTF-8.
var forms = []func(string) string{asItIs, asItIs, asItIs, asItIs, asItIs,
	func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") }, latin1,
}

func asItIs(s string) string { return s }

func latin1(s string) string {
	var b []byte
	for _, r := range s {
		b = append(b, byte(min(r, 0xff)))
	}
	return string(b)
}

var (
	hexEscapes = regexp.MustCompile(`\\+(?:x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8}))`)
	base64s    = regexp.MustCompile(`[A-Za-z0-9+/]{8,}=*`)
	percent    = regexp.MustCompile(`(%[0-9A-Fa-f]{2})+`)
)

// readings are a text as it is, and with all in it decoded that may be an escape.
func readings(text string) []string {
	var units []uint16
	last := 0
	for _, m := range hexEscapes.FindAllStringSubmatchIndex(text, -1) {
		units = append(units, utf16.Encode([]rune(text[last:m[0]]))...)
		digits := strings.TrimLeft(text[m[0]:m[1]], `\`)[1:]
		if c, err := strconv.ParseUint(digits, 16, 32); err == nil && c < 0x10000 {
			units = append(units, uint16(c))
		} else {
			units = append(units, utf16.Encode([]rune{rune(c)})...)
		}
		last = m[1]
	}
	units = append(units, utf16.Encode([]rune(text[last:]))...)
	return []string{text, string(utf16.Decode(units)),
		percent.ReplaceAllStringFunc(text, func(s string) string { s, _ = url.PathUnescape(s); return s }),
		base64s.ReplaceAllStringFunc(text, func(s string) string { b, _ := base64.StdEncoding.DecodeString(s); return string(b) })}
}

var rounds = flag.Int("canaries", 200, "how many merges TestCanaries makes")

// TestCanaries: whatever the grammar has room for a word in, none is left, in any
// form, and the merge comes out as it did.
func TestCanaries(t *testing.T) {
	canaries, methods := 0, map[merge.Method]int{}
	for i := range *rounds {
		n := &nest{Rand: rand.New(rand.NewSource(int64(i)))}
		r := n.report()
		was, err := r.merge()
		if err != nil {
			t.Fatalf("%d: %v\n%s", i, err, r.Rules)
		}
		methods[was.Method]++
		found, err := r.Anonymous()
		if errors.Is(err, errOtherwise) {
			t.Errorf("%d: merged as %s (%s), and in no other words:\n%s", i, was.Method, was.Reason, r.Ours)
			continue
		}
		dir := filepath.Join(t.TempDir(), "report")
		if err := errors.Join(err, found.Write(dir)); err != nil {
			t.Fatal(err)
		}
		canaries += len(n.canaries)
		n.check(t, i, dir)
		if now, err := found.merge(); err != nil || now.Method != was.Method || len(now.Conflicts) != len(was.Conflicts) {
			t.Errorf("%d: merged as %s, %d conflicts; now %s, %d (%v)", i, was.Method, len(was.Conflicts), now.Method, len(now.Conflicts), err)
		}
	}
	t.Logf("%d merges, %d canaries, methods %v", *rounds, canaries, methods)
}

// check looks for canaries in all files of a folder.
func (n *nest) check(t *testing.T, i int, dir string) {
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		b, err := os.ReadFile(filepath.Join(dir, f.Name()))
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range readings(string(b)) {
			for _, c := range n.canaries {
				if strings.Contains(text, c) {
					t.Errorf("%d: %s has %s:\n%s", i, f.Name(), c, b)
					return
				}
			}
		}
	}
}
