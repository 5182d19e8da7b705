//go:build !unix

package app

func ignoreFileSizeSignal() {}
