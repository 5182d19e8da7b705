// The configuration of the web site for VitePress, which adds navigation, a search without a server, and a dark theme.
import { readFileSync, readdirSync } from 'node:fs'

const repository = 'https://github.com/git-merge-yaml/git-merge-yaml'
const root = new URL('../', import.meta.url)

// The navigation comes from the tables in the index page: a group for each heading of the second level.
const sidebar = []
for (const line of readFileSync(new URL('index.md', root), 'utf8').split('\n')) {
  const page = line.match(/^\| \[(.*)\]\((.*)\.md\) \| /)
  const heading = line.match(/^## (.*)/)
  if (page) sidebar.at(-1).items.push({ text: page[1], link: '/' + page[2] })
  else if (heading) sidebar.push({ text: heading[1], items: [] })
}
const commands = readdirSync(new URL('commands', root)).map((f) => f.replace('.md', ''))
sidebar.push({ text: 'Help of each command', collapsed: true, items: commands.map((c) => ({ text: c, link: '/commands/' + c })) })

// outside returns the target of a link. Links to files that are not pages of the site lead to the repository.
const outside = (href) => href === 'README.md' ? 'index.md' : href.startsWith('../') ? repository + '/blob/main/' + href.slice(3)
  : /^[^:#]+\.(json|1|yml|yaml|sh)(#.*)?$/.test(href) ? repository + '/blob/main/docs/' + href : href

// styles are for pictures below each other, for long lines of a terminal, and for wide tables on a phone.
const styles = `
.vp-doc img + img, .vp-doc img + br + img { margin-top: 12px; }
.vp-doc .language-console code { white-space: pre-wrap; overflow-wrap: anywhere; }
@media (max-width: 640px) {
  .vp-doc th, .vp-doc td { padding: 6px 8px; }
  .vp-doc td code { overflow-wrap: anywhere; font-size: 12px; padding: 2px 4px; }
  .vp-doc td:first-child:has(> code) { min-width: 5rem; }
  .vp-doc tr:not(:has(> :nth-child(4))) td:first-child:has(> code) { min-width: 7rem; }
}`

export default {
  title: 'git-merge-yaml',
  description: 'A git merge driver for YAML: by resource and field, with comments, and verified',
  base: process.env.SITE_BASE || '/',
  outDir: process.env.SITE_OUT,
  cleanUrls: false,
  lastUpdated: false,
  head: [['link', { rel: 'icon', href: 'data:,' }], ['style', {}, styles]],
  themeConfig: {
    nav: [{ text: 'Try it', link: '/playground/index.html', target: '_self' }, { text: 'Source', link: repository }],
    sidebar,
    outline: [2, 3],
    search: { provider: 'local' },
  },
  markdown: {
    config(md) {
      const render = md.renderer.rules.code_inline
      md.renderer.rules.code_inline = (...a) => (render ? render(...a) : md.renderer.renderToken(...a)).replace('<code', '<code v-pre')
      md.core.ruler.push('outside', (state) => {
        for (const block of state.tokens) {
          // The columns of an example are not YAML, so that colors would be wrong.
          if (block.type === 'fence' && /^merge\b/.test(block.info)) block.info = ''
          for (const token of block.children || []) {
            if (token.type === 'link_open') token.attrSet('href', outside(token.attrGet('href')))
          }
        }
      })
    },
  },
}
