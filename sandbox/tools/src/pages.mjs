/** Checks the Markdown pages: their links, and the files that they quote. */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { root } from './repo.mjs'

const REPOSITORY = /^https:\/\/github\.com\/keybay\/keybay(?:\/(?:tree|blob)\/main\/([^#]*))?(#.*)?$/

/** @param {string} text @returns {string} the text without fenced blocks and inline code, which hold no links */
function getProse(text) {
  return text.replace(/^```[\s\S]*?^```/gm, '').replace(/`[^`\n]*`/g, 'code')
}

/** @param {string} title a heading @returns {string} its anchor, as GitHub forms it */
export function toAnchor(title) {
  return title
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-')
}

/**
 * Returns the anchors of a page's headings, as GitHub forms them.
 * @param {string} text
 * @returns {ReadonlySet<string>}
 */
export function getAnchors(text) {
  const headings = [...text.replace(/^```[\s\S]*?^```/gm, '').matchAll(/^#{1,6} (.+)$/gm)]
  return new Set(headings.map(([, title = '']) => toAnchor(title)))
}

/**
 * Returns the file to which a link leads, and its anchor; undefined for other sites.
 * @param {string} page
 * @param {string} link
 */
export function resolve(page, link) {
  const inRepository = REPOSITORY.exec(link)
  if (!inRepository && /^[a-z]+:/i.test(link)) return undefined
  const [path = '', anchor] = inRepository ? [`/${inRepository[1] ?? ''}`, inRepository[2]?.slice(1)] : link.split('#')
  const file = path === '' ? page : path.startsWith('/') ? path.slice(1) : posix.join(dirname(page), path)
  return { file: file.replace(/\/$/, '') || '.', anchor: anchor === 'readme' ? undefined : anchor }
}

/** Returns a page's text; of a folder, its README. @param {string} path */
function readPage(path) {
  const file = statSync(path).isDirectory() ? join(path, 'README.md') : path
  return existsSync(file) ? readFileSync(file, 'utf8') : ''
}

/**
 * @param {string} page from the root
 * @param {string} text
 * @param {string} [base]
 * @returns {readonly string[]} links within the repository that lead nowhere
 */
export function brokenLinks(page, text, base = root) {
  return [...getProse(text).matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, link = '']) => {
    const target = resolve(page, link)
    if (!target) return []
    const path = join(base, target.file)
    if (target.file !== page && !existsSync(path)) return [`${page}: ${link}: ${target.file} does not exist`]
    if (!target.anchor) return []
    const headings = target.file === page ? text : readPage(path)
    return getAnchors(headings).has(target.anchor) ? [] : [`${page}: ${link}: there is no heading #${target.anchor}`]
  })
}

/**
 * Returns the blocks whose first line names a file, such as `ts [frame-wallet/index.ts]`.
 * @param {string} text
 * @returns {readonly { file: string, line: number, code: string }[]}
 */
export function getQuotes(text) {
  return [...text.matchAll(/^```\w+ \[([^\]\n]+)\][ \t]*\n([\s\S]*?)^```/gm)].map(match => ({
    file: match[1] ?? '',
    line: text.slice(0, match.index).split('\n').length,
    code: match[2] ?? '',
  }))
}
