package sops

import "testing"

// TestStaySecret holds that nothing is written open that was encrypted.
func TestStaySecret(t *testing.T) {
	const enc = "ENC[AES256_GCM,data:x,type:str]"
	f := files{data: [3][]byte{
		[]byte("a: " + enc + "\nlist:\n    - b: " + enc + "\n"),
		[]byte("a_open: plain\n"),
		[]byte("new:\n    c: " + enc + "\n"),
	}}
	for s, want := range map[step]bool{
		{index: `["a"]`, text: "x"}:            true,
		{index: `["list"][7]["b"]`, text: "x"}: true,
		{index: `["new"]["c"]`, text: "x"}:     true,
		{index: `["b_open"]`, text: "plain"}:   true,
		{index: `["a_open"]`, text: "x"}:       false,
		{index: `["a"]["b"]`, text: "x"}:       false,
		{index: `["gone"]`, unset: true}:       true,
	} {
		if got := f.staySecret([]step{s}); got != want {
			t.Errorf("%+v: %v", s, got)
		}
	}
}
