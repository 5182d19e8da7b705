package git

import (
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
)

// An ID is the id of an object: the raw bytes of a SHA-1 or SHA-256 hash, or
// "" for no object.
type ID string

// ParseID reads an id in hexadecimal.
func ParseID(s string) (ID, error) {
	b, err := hex.DecodeString(s)
	if err != nil || len(b) != sha1.Size && len(b) != sha256.Size {
		return "", fmt.Errorf("%q is no object id", s)
	}
	return ID(b), nil
}

// String returns the id in hexadecimal.
func (id ID) String() string { return hex.EncodeToString([]byte(id)) }

// MarshalText is String, for JSON.
func (id ID) MarshalText() ([]byte, error) { return []byte(id.String()), nil }

// Short returns the first ten digits of the id.
func (id ID) Short() string { return id.String()[:min(10, 2*len(id))] }

// parseIDs reads ids with blanks or line breaks between them.
func parseIDs(s string) (ids []ID, err error) {
	for hex := range strings.FieldsSeq(s) {
		id, err := ParseID(hex)
		if err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids, nil
}
