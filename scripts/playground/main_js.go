package main

import "syscall/js"

// main defines the JavaScript function merge(request), which mergeJSON implements, and then calls ready().
func main() {
	js.Global().Set("merge", js.FuncOf(func(_ js.Value, args []js.Value) any {
		return string(mergeJSON([]byte(args[0].String())))
	}))
	js.Global().Call("ready")
	select {} // keep running for calls of merge
}
