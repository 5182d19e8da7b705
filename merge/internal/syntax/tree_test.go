package syntax

import (
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// treeCases are files with their trees in the format of dump.
var treeCases = []struct{ name, in, want string }{
	{"mapping", "a: 1\nb: 2\n", `
doc 0
/a "a: 1\n"
/b "b: 2\n"`},
	{"no final newline", "a: 1\nb: 2", `
doc 0
/a "a: 1\n"
/b "b: 2"`},
	{"CRLF", "a: 1\r\n# c\r\nb:\r\n- x # d\r\n", `
doc 0
/a "a: 1\r\n"
/b lead"# c\r\n" "b:\r\n"
/b/0 "- x # d\r\n" comment"# d"`},
	{"CR", "a: 1\r# c\rb: 2\r", `
doc 0
/a "a: 1\r"
/b lead"# c\r" "b: 2\r"`},
	{"mixed line ends", "a: 1\r\nb: 2\nc: 3\rd: 4\n", `
doc 0
/a "a: 1\r\n"
/b "b: 2\n"
/c "c: 3\r"
/d "d: 4\n"`},
	{"NEL and LS end lines", "a: 1\u0085b: 2\u2028c: 3\n", `
doc 0
/a "a: 1\u0085"
/b "b: 2\u2028"
/c "c: 3\n"`},
	{"BOM", "\ufeff# c\na: 1\n", `
doc 0 head"\ufeff"
/a lead"# c\n" "a: 1\n"`},
	{"multi-byte characters", "é: ü # ö\nλ: [ß, \"😀\", {名: 前}] # ✓\n", `
doc 0
/é "é: ü # ö\n" comment"# ö"
/λ "λ: [ß, \"😀\", {名: 前}] # ✓\n" comment"# ✓"
/λ/0 "ß" foot","
/λ/1 lead" " "\"😀\"" foot","
/λ/2 lead" " "{名: 前}"
/λ/2/名 "名: 前"`},
	{"collections as keys are their text", "a: &x {{ .b }} # c\n{{ d }}: 1\n? [e, f]\n: [{{g}}, {h: i}: j, {k: l}]\n", `
doc 0
/a "a: &x {{ .b }} # c\n" comment"# c"
/{{ d }} "{{ d }}: 1\n"
/[e, f] "? [e, f]\n: [{{g}}, {h: i}: j, {k: l}]\n"
/[e, f]/0 "{{g}}" foot","
/[e, f]/1 irregular lead" " "{h: i}: j" foot","
/[e, f]/2 lead" " "{k: l}"
/[e, f]/2/k "k: l"`},
	{"the column of an indented root ends it, as column 0 ends others", "  a:\n    b: 1\n  # c\n", `
doc 0 foot"  # c\n"
/a "a:\n"
/a/b "b: 1\n"`},
	{"document markers", "# l\n---\na: 1\n...\n# m\n---\nb: 2\n# n\n", `
doc 0 head"# l\n---\n" foot"...\n# m\n"
/a "a: 1\n"
doc 1 head"---\n" foot"# n\n"
/b "b: 2\n"`},
	{"# inside words", "a: x#y\nb: \"#\" # c\nc: '#'#d\nd: [x#y, #e\n  z]#f\n", `
doc 0
/a "a: x#y\n"
/b "b: \"#\" # c\n" comment"# c"
/c "c: '#'#d\n" comment"#d"
/d "d: [x#y, #e\n  z]#f\n" comment"#f"
/d/0 "x#y" comment"#e" foot", #e"
/d/1 lead"\n  " "z"`},
	{"text beside ---", "--- a\n--- # c\nb: 1\n--- [x] # d\n", `
doc 0 head"--- " foot"\n"
root "a"
doc 1 head"--- # c\n"
/b "b: 1\n"
doc 2 head"--- " foot" # d\n"
/0 "x"`},
	{"comment beside ...", "a: 1\n... # c\n\n---\nb: 2\n", `
doc 0 foot"... # c\n\n"
/a "a: 1\n"
doc 1 head"---\n"
/b "b: 2\n"`},
	{"directives", "%YAML 1.2\n# c\n%TAG !e! tag:e.org,2000:\n--- # d\na: !e!x 1\n...\n# m\n%YAML 1.1 # e\n---\nb\n", `
doc 0 head"%YAML 1.2\n# c\n%TAG !e! tag:e.org,2000:\n--- # d\n" foot"...\n# m\n"
/a "a: !e!x 1\n"
doc 1 head"%YAML 1.1 # e\n---\n" foot"\n"
root "b"`},
	{"directive without ...", "  a: 1\n # c\n%YAML 1.1\n---\nb: 2\n", `
doc 0 foot" # c\n"
/a "a: 1\n"
doc 1 head"%YAML 1.1\n---\n"
/b "b: 2\n"`},
	{"empty documents", "---\n---\n# c\n---\n", `
doc 0 head"---\n"
doc 1 head"---\n" foot"# c\n"
doc 2 head"---\n"`},
	{"trivia alone", "# a\n\n# b\n", `
doc 0 head"# a\n\n# b\n"`},
	{"licence and attached comment", "# licence\n\n# about a\na: 1\n", `
doc 0 head"# licence\n\n"
/a lead"# about a\n" "a: 1\n"`},
	{"attached below ---", "# licence\n---\n# detached\n\n# about a\na: 1\n", `
doc 0 head"# licence\n---\n# detached\n\n"
/a lead"# about a\n" "a: 1\n"`},
	{"root properties", "--- &m !!map # c\n# d\na: 1\n", `
doc 0 head"--- &m !!map # c\n"
/a lead"# d\n" "a: 1\n"`},
	{"root properties in lines", "&m\n!t\n# d\na: 1\n", `
doc 0 head"&m\n!t\n"
/a lead"# d\n" "a: 1\n"`},
	{"root scalars", "--- |\n x\n\n# c\n--- 'a\n b' # d\n", `
doc 0 head"--- " foot"\n# c\n"
root "|\n x\n"
doc 1 head"--- " foot" # d\n"
root "'a\n b'"`},
	{"anchor of map and of key", "a: &m\n  x: 1\nb:\n  &k x: 1\nc: &m2\n  &k2 x: 1\n", `
doc 0
/a "a: &m\n"
/a/x "x: 1\n"
/b "b:\n"
/b/x "&k x: 1\n"
/c "c: &m2\n"
/c/x "&k2 x: 1\n"`},
	{"anchors and tags", "a: &x !!str v\nb: !<tag:e.org,2000:t> &y v\nc: *x\n*x : d\ne: &z\nf: !!null # c\n", `
doc 0
/a "a: &x !!str v\n"
/b "b: !<tag:e.org,2000:t> &y v\n"
/c "c: *x\n"
/*x "*x : d\n"
/e "e: &z\n"
/f "f: !!null # c\n" comment"# c"`},
	{"lone !", "a: !\nb: ! x\n! c: 1\nd:\n! e: 2\n", `
doc 0
/a "a: !\n"
/b "b: ! x\n"
/c "! c: 1\n"
/d "d:\n"
/e "! e: 2\n"`},
	{"lone ! of a sequence", "---\n!\n- a\n", `
doc 0 head"---\n!\n"
/0 "- a\n"`},
	{"lone ! as a key", "&m\n! : [! : a]\n", `
doc 0 head"&m\n"
/ "! : [! : a]\n"
//0 irregular "! : a"
//0/ "! : a"`},
	{"properties in lines", "a:\n  &x\n  # c\n  !!str\n  v # d\n", `
doc 0
/a irregular "a:\n  &x\n  # c\n  !!str\n  v # d\n" comment"# c"`},
	{"explicit keys", "? a\n: 1\n? b # c\n# d\n: - x\n  - y\n? |\n  k\n: z: 1\n? e\nf: 2\n? g", `
doc 0
/a "? a\n: 1\n"
/b irregular "? b # c\n# d\n: "
/b/0 inline "- x\n"
/b/1 "- y\n"
/k "? |\n  k\n: "
/k/z inline "z: 1\n"
/e irregular "? e\n"
/f "f: 2\n"
/g irregular "? g"`},
	{"empty explicit key", "? \n: 1\n", `
doc 0
/ "? \n: 1\n"`},
	{"compact", "- a: 1\n  b: 2\n- - x\n  - y\n-   # c\n  - z\n", `
doc 0
/0 "- "
/0/a inline "a: 1\n"
/0/b "b: 2\n"
/1 "- "
/1/0 inline "- x\n"
/1/1 "- y\n"
/2 "-   # c\n" comment"# c"
/2/0 "- z\n"`},
	{"zero-indented sequence", "a:\n- x\n- y\nb:\n- |\n z\n- w\n", `
doc 0
/a "a:\n"
/a/0 "- x\n"
/a/1 "- y\n"
/b "b:\n"
/b/0 "- |\n z\n"
/b/1 "- w\n"`},
	{"empty values", "a:\nb: # c\nc:\n- \n-\nd: ''\n", `
doc 0
/a "a:\n"
/b "b: # c\n" comment"# c"
/c "c:\n"
/c/0 "- \n"
/c/1 "-\n"
/d "d: ''\n"`},
	{"block scalars", "a: |\n  x\n   y\n\n\nb: >-  # c\n\n  z\n # d\nc: |+\n  k\n\n\nd: |2-\n    s\n\ne: |-\nf: |", `
doc 0
/a "a: |\n  x\n   y\n"
/b lead"\n\n" "b: >-  # c\n\n  z\n" comment"# c" foot" # d\n"
/c "c: |+\n  k\n\n\n"
/d "d: |2-\n    s\n"
/e lead"\n" "e: |-\n"
/f "f: |"`},
	{"block scalar at the end", "a: |\n  x\n  ", `
doc 0 foot"  "
/a "a: |\n  x\n"`},
	{"block scalar in CRLF", "a: |\r\n  x\r\n\r\n  y\r\n\r\nb: 1\r\n", `
doc 0
/a "a: |\r\n  x\r\n\r\n  y\r\n"
/b lead"\r\n" "b: 1\r\n"`},
	{"tabs", "a:\t1\t# c\nb: |\n  x\n  \ty\nc: \t[\tx,\t y ]\n", `
doc 0
/a "a:\t1\t# c\n" comment"# c"
/b "b: |\n  x\n  \ty\n"
/c "c: \t[\tx,\t y ]\n"
/c/0 lead"\t" "x" foot","
/c/1 lead"\t " "y"
/c/ tail" "`},
	{"multi-line scalars", "a: one\n  two\n\n  three # c\nb: 'x\n\n  y''z'\nc: \"p\\\n  q \\\" r\"\nd:\n  e\n", `
doc 0
/a "a: one\n  two\n\n  three # c\n" comment"# c"
/b "b: 'x\n\n  y''z'\n"
/c "c: \"p\\\n  q \\\" r\"\n"
/d irregular "d:\n  e\n"`},
	{"flow", "a: [x, y , {b: 1, \"c\":2, d, e: }, [], {}, ]\n", `
doc 0
/a "a: [x, y , {b: 1, \"c\":2, d, e: }, [], {}, ]\n"
/a/0 "x" foot","
/a/1 lead" " "y" foot" ,"
/a/2 lead" " "{b: 1, \"c\":2, d, e: }" foot","
/a/2/b "b: 1" foot","
/a/2/c lead" " "\"c\":2" foot","
/a/2/d lead" " "d" foot","
/a/2/e lead" " "e:"
/a/2/ tail" "
/a/3 lead" " "[]" foot","
/a/4 lead" " "{}" foot","
/a/ tail" "`},
	{"flow over lines", "a: [ # c\n  # d\n  x, # e\n  y # f\n  , z\n  # g\n] # h\n", `
doc 0
/a "a: [ # c\n  # d\n  x, # e\n  y # f\n  , z\n  # g\n] # h\n" comment"# h"
/a/0 lead" # c\n  # d\n  " "x" comment"# e" foot", # e"
/a/1 irregular lead"\n  " "y" comment"# f" foot" # f\n  ,"
/a/2 lead" " "z"
/a/ tail"\n  # g\n"`},
	{"flow mapping over lines", "{\n  a: 1, # c\n  # d\n  b:\n    2 # e\n}\n# f\n", `
doc 0 foot"\n# f\n"
/a lead"\n  " "a: 1" comment"# c" foot", # c"
/b irregular lead"\n  # d\n  " "b:\n    2" comment"# e" foot" # e"
/ tail"\n"`},
	{"pairs", "[a: b, &k c: d, \"e\": f, {g: h}]\n", `
doc 0 foot"\n"
/0 irregular "a: b" foot","
/0/a "a: b"
/1 irregular lead" " "&k c: d" foot","
/1/c "&k c: d"
/2 irregular lead" " "\"e\": f" foot","
/2/e "\"e\": f"
/3 lead" " "{g: h}"
/3/g "g: h"`},
	{"blank line goes with what follows", "a:\n  b: 1\n\nc:\n- d\n\n# e\n\n", `
doc 0 foot"\n# e\n\n"
/a "a:\n"
/a/b "b: 1\n"
/c lead"\n" "c:\n"
/c/0 "- d\n"`},
	{"deeper comment is the tail", "a:\n  b: 1\n  # c\nd: 1\n", `
doc 0
/a "a:\n"
/a/b "b: 1\n"
/a/ tail"  # c\n"
/d "d: 1\n"`},
	{"deeper comment is the sibling's foot", "a: 1\n  # c\n\n  # d\n\nb: 1\n", `
doc 0
/a "a: 1\n" foot"  # c\n\n  # d\n"
/b lead"\n" "b: 1\n"`},
	{"comments descend", "a:\n  b:\n    c: 1\n\n    # c\n  # b\n\n# d\nd: 1\n", `
doc 0
/a "a:\n"
/a/b "b:\n"
/a/b/c "c: 1\n"
/a/b/ tail"\n    # c\n"
/a/ tail"  # b\n"
/d lead"\n# d\n" "d: 1\n"`},
	{"comments below an outer comment", "a:\n  b: 1\n# d\n  # d too\nd: 1\n", `
doc 0
/a "a:\n"
/a/b "b: 1\n"
/d lead"# d\n  # d too\n" "d: 1\n"`},
	{"block with a blank line below is a foot", "a: 1\n# about a\n# more\n\n# b\nb: 1\n", `
doc 0
/a "a: 1\n" foot"# about a\n# more\n"
/b lead"\n# b\n" "b: 1\n"`},
	{"foot of a nested collection's entry", "a:\n  b: 1\n# about a\n\nc: 1\n", `
doc 0
/a "a:\n" foot"# about a\n"
/a/b "b: 1\n"
/c lead"\n" "c: 1\n"`},
	{"section header is a lead", "a: 1\n\n# section\n\n# about b\nb: 1\n", `
doc 0
/a "a: 1\n"
/b lead"\n# section\n\n# about b\n" "b: 1\n"`},
	{"shallower comment is a lead", "a:\n  b: 1\n# c\n  c: 1\n", `
doc 0
/a "a:\n"
/a/b "b: 1\n"
/a/c lead"# c\n" "c: 1\n"`},
	{"comment before the first entry", "a: # x\n# y\n\n  # z\n  b: 1\n", `
doc 0
/a "a: # x\n" comment"# x"
/a/b lead"# y\n\n  # z\n" "b: 1\n"`},
	{"comments at the end", "a:\n  b:\n  - c\n  # b\n   # b too\n\n  # a\n# end\n\n", `
doc 0 foot"# end\n\n"
/a "a:\n"
/a/b "b:\n"
/a/b/0 "- c\n"
/a/b/ tail"  # b\n   # b too\n\n  # a\n"`},
	{"zero-indented sequence ends", "a:\n- x\n# b\nb:\n- y\n# end\n", `
doc 0 foot"# end\n"
/a "a:\n"
/a/0 "- x\n"
/b lead"# b\n" "b:\n"
/b/0 "- y\n"`},
	{"commented-out items", "- a\n# - b\n- c\n  # - d\n# - e\n", `
doc 0 foot"# - e\n"
/0 "- a\n"
/1 lead"# - b\n" "- c\n" foot"  # - d\n"`},
	{"comment of an empty value", "a:\n  # b: 1\nc:\n  # d: 1\n", `
doc 0
/a "a:\n" foot"  # b: 1\n"
/c "c:\n" foot"  # d: 1\n"`},
	{"list of lists", "a:\n  - - x\n    # c\n    - y\n    # d\n  # e\n  -\n    - z\n", `
doc 0
/a "a:\n"
/a/0 "- "
/a/0/0 inline "- x\n"
/a/0/1 lead"    # c\n" "- y\n"
/a/0/ tail"    # d\n"
/a/1 lead"  # e\n" "-\n"
/a/1/0 "- z\n"`},
	{"comment below a block scalar", "a:\n  b: |\n    x\n   # c\n  # d\ne: 1\n", `
doc 0
/a "a:\n"
/a/b "b: |\n    x\n" foot"   # c\n"
/a/ tail"  # d\n"
/e "e: 1\n"`},
}

func TestTree(t *testing.T) {
	for _, c := range treeCases {
		s, err := Parse(text.New([]byte(c.in)))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if got := "\n" + dump(s); got != c.want {
			t.Errorf("%s:\n%s\ngot%s\nwant%s", c.name, c.in, got, c.want)
		}
	}
}
