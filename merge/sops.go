package merge

// sopsReason says what to do with a merged file that SOPS encrypted.
const sopsReason = "encrypted with SOPS: the mac of a merged file is never valid; settle the conflicts, decrypt with `sops -d --ignore-mac`, and encrypt the result anew"
