// Package browser tests the page of replay in a real Chromium.
package browser
