//go:build !unix

package disk

func ignoreFileSizeSignal() {}
