package main

import "syscall/js"

// main gives the page merge(question), which takes and gives JSON.
func main() {
	js.Global().Set("merge", js.FuncOf(func(_ js.Value, args []js.Value) any {
		return string(respond([]byte(args[0].String())))
	}))
	js.Global().Call("ready")
	select {} // the function is called as long as the page is open
}
