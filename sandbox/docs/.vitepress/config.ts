import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { toAnchor } from '@keybay/sandbox-tools/pages'
import { defineConfig } from 'vitepress'
import { listEntries } from '../src/reference.mjs'
import { listSections, routeOf, titleOf } from '../src/sections.mjs'
import { diagramName } from '../src/stage.mjs'

const diagrams = fileURLToPath(new URL('../dist/diagrams', import.meta.url))
const pages = fileURLToPath(new URL('../dist/pages', import.meta.url))

const sections = listSections().map(({ title, pages }) => ({
  text: title,
  // Without a link, the theme nests the button that opens the group in another one.
  link: routeOf(pages[0] ?? ''),
  collapsed: true,
  items: pages.map(page => ({ text: titleOf(page), link: routeOf(page) })),
}))

const names = [...listEntries().values()].sort()
const reference = names.map(name => {
  // TypeDoc writes a module with namespaces as a folder.
  const isFolder = existsSync(join(pages, 'reference', name, 'index.md'))
  return { text: name, link: `/reference/${name}${isFolder ? '/' : ''}` }
})

/** Shows code without colours, which take half of the time of a build. */
function showPlain(code: string): string {
  const escaped = code.replace(/[&<>]/g, character => `&#${character.charCodeAt(0)};`)
  return `<pre v-pre tabindex="0"><code>${escaped}</code></pre>`
}

/** Mends what the theme gets wrong: the contrast of a code's language, and keys that are not in the name of their button. */
const STYLE = `
html:root { --vp-code-lang-color: var(--vp-c-text-2) }
button.DocSearch .DocSearch-Button-Keys { display: none }`

export default defineConfig({
  title: 'Keybay',
  description: 'Log in, hold wallets, sign and send',
  head: [['style', {}, STYLE]],
  srcDir: 'dist/pages',
  outDir: 'dist/site',
  cacheDir: 'dist/cache',
  // The pages are of this repository, whose links a build must not lose.
  ignoreDeadLinks: false,
  metaChunk: true,
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    nav: [
      { text: 'Start', link: '/sandbox/docs/first-payment' },
      { text: 'Reference', link: '/reference/' },
      { text: 'Errors', link: '/kernel/ERRORS' },
    ],
    sidebar: [...sections, { text: 'Reference', link: '/reference/', collapsed: true, items: reference }],
  },
  markdown: {
    // Text such as <KeybayProvider> is text.
    html: false,
    linkify: false,
    // The colours of the default themes are too pale on this background.
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    ...(process.env.KEYBAY_DOCS_PLAIN === '1' && { highlight: showPlain }),
    anchor: { slugify: toAnchor },
    config(md) {
      const fence = md.renderer.rules.fence
      md.renderer.rules.fence = (tokens, index, ...rest) => {
        const { info = '', content = '' } = tokens[index] ?? {}
        if (info.trim() !== 'mermaid') return fence?.(tokens, index, ...rest) ?? ''
        return `<div class="diagram" v-pre>${readFileSync(join(diagrams, diagramName(content)), 'utf8')}</div>`
      }
    },
  },
})
