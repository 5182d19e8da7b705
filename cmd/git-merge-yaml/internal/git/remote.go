package git

import (
	"net/url"
	"path"
	"strings"
)

// Name is what people call the repository: owner/name of its remote origin, else
// the name of its folder.
func (g Git) Name() string {
	if web := g.Web(); web != "" {
		u, err := url.Parse(web)
		if err == nil {
			return strings.Trim(u.Path, "/")
		}
	}
	dir, err := g.Line("rev-parse", "--show-toplevel")
	if err != nil {
		dir, _ = g.Line("rev-parse", "--absolute-git-dir")
	}
	return strings.TrimSuffix(path.Base(dir), ".git")
}

// Web is the address of the repository's pages at its remote origin, without
// what may be secret in it; "" if it has none on another host.
func (g Git) Web() string {
	remote, _ := g.Line("config", "--get", "remote.origin.url")
	return webAddress(remote)
}

func webAddress(remote string) string {
	if user, rest, ok := strings.Cut(remote, "@"); ok && !strings.ContainsAny(user, "/:") {
		if host, path, ok := strings.Cut(rest, ":"); ok { // git@host:path
			remote = "ssh://" + host + "/" + path
		}
	}
	u, err := url.Parse(remote)
	if err != nil || u.Hostname() == "" || strings.Trim(u.Path, "/") == "" {
		return ""
	}
	page := url.URL{Scheme: "https", Host: u.Hostname(), Path: strings.TrimSuffix(strings.TrimRight(u.Path, "/"), ".git")}
	switch u.Scheme {
	case "http", "https":
		page.Scheme, page.Host = u.Scheme, u.Host
	case "ssh", "git":
	default:
		return ""
	}
	return page.String()
}
