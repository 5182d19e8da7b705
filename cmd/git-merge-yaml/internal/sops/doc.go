// Package sops has the sops program make a merged file of three that it encrypted. It takes the versions and
// ways to merge what is above their sops blocks, by ciphertext and in the clear, and gives the merged
// file, or why there is none. Files hold ciphertext only: what sops decrypts comes and what it encrypts goes
// through pipes, and no error has anything of it.
package sops
