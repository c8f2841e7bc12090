/** Copies the repository's Markdown pages to where VitePress reads them: links lead to the site, else to the repository. */
import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { resolve } from '@keybay/sandbox-tools/pages'
import { root } from '@keybay/sandbox-tools/repo'
import { renderMermaid } from 'beautiful-mermaid'
import { listPages, routeOf } from './sections.mjs'

const REPOSITORY = 'https://github.com/keybay/keybay'
const DIAGRAM = /^```mermaid\n([\s\S]*?)^```/gm
/** Code, which is copied unchanged, or the address of a link. */
const CODE_OR_LINK = /^```[\s\S]*?^```|`[^`\n]*`|\]\(([^)\s]+)\)/gm

/** @param {string} diagram @returns {string} the name of its file */
export function diagramName(diagram) {
  return `${createHash('sha256').update(diagram.trim()).digest('hex').slice(0, 16)}.svg`
}

/** Draws a diagram in the colours and font of the page around it. @param {string} diagram @returns {Promise<string>} */
async function draw(diagram) {
  // The renderer would draw a label's quotes and line breaks as text.
  const plain = diagram
    .trim()
    .replace(/([[|])"([^"]*)"(?=[\]|])/g, '$1$2')
    .replace(/:?<br\/>/g, ': ')
  const svg = await renderMermaid(plain, { bg: 'var(--vp-c-bg)', fg: 'var(--vp-c-text-1)', font: 'inherit' })
  // The renderer's style element asks another host for fonts, and Vue allows no style element: only its variables stay.
  const [, variables = ''] = /\bsvg \{([^}]*)\}/.exec(svg) ?? []
  const style = variables.replace(/\/\*.*?\*\//g, '').replace(/\s+/g, ' ')
  return svg.replace(/<style>[\s\S]*?<\/style>/, '').replace(' style="', ` style="max-width:100%;height:auto;${style}`)
}

/**
 * @param {string} page
 * @param {string} link
 * @param {ReadonlySet<string>} pages
 * @returns {{ address: string, file?: string }} the link on the site; `file`: an image to copy
 */
function rewrite(page, link, pages) {
  const target = resolve(page, link)
  if (!target) return { address: link }
  const file = target.file.replace(/^\.$/, '')
  const source = [file, join(file, 'README.md')].find(candidate => pages.has(candidate))
  if (source) return { address: `${routeOf(source)}${target.anchor ? `#${target.anchor}` : ''}` }
  if (file.endsWith('.png')) return { address: link, file }
  const kind = existsSync(join(root, file)) && statSync(join(root, file)).isDirectory() ? 'tree' : 'blob'
  return { address: `${REPOSITORY}/${kind}/main/${file}` }
}

/** @param {string} folder where VitePress reads pages @param {string} diagrams where it reads diagrams */
export async function stagePages(folder, diagrams) {
  const list = listPages()
  const pages = new Set(list)
  mkdirSync(diagrams, { recursive: true })
  for (const page of list) {
    const source = readFileSync(join(root, page), 'utf8')
    for (const [, diagram = ''] of source.matchAll(DIAGRAM))
      writeFileSync(join(diagrams, diagramName(diagram)), await draw(diagram))
    const text = source
      .replace(/^<!--.*-->\n/gm, '')
      .replace(CODE_OR_LINK, (matched, /** @type {string | undefined} */ link) => {
        if (!link) return matched
        const { address, file } = rewrite(page, link, pages)
        if (file) {
          mkdirSync(dirname(join(folder, file)), { recursive: true })
          copyFileSync(join(root, file), join(folder, file))
        }
        return `](${address})`
      })
    const target = join(folder, page.replace(/README\.md$/, 'index.md'))
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, text)
  }
}
