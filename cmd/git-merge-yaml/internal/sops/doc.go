// Package sops has the sops program make the MAC of a file that was merged by its ciphertext.
// It takes three versions and a way to merge what is above their sops block, and gives the merged
// file, or why there is none. Nothing is decrypted here: sops checks and seals files that hold
// ciphertext, and what it prints is thrown away.
package sops
