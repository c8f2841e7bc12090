/** The site's sections, in the order of the sidebar. Each page is a Markdown file of the repository. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packages, root } from '@keybay/sandbox-tools/repo'
import { trackedFiles } from '@keybay/sandbox-tools/snippets'

/** Pages that readers of the site do not need: histories, notes for the next release, and templates. */
const LEFT_OUT = /(^|\/)CHANGELOG\.md$|^\.changeset\/|\/template\//

/** @typedef {{ title: string, pages: readonly string[] }} Section */

/** @returns {readonly string[]} the repository's pages, from the root */
export function listPages() {
  return trackedFiles().filter(file => file.endsWith('.md') && !LEFT_OUT.test(file))
}

/** @returns {readonly Section[]} every page, once */
export function listSections() {
  const pages = listPages()
  const plugins = packages().filter(({ folder }) => folder.startsWith('plugins/'))
  const named = [
    {
      title: 'Getting started',
      pages: [
        'README.md',
        ...['first-payment', 'from-wallet-adapter', 'from-privy'].map(name => `sandbox/docs/${name}.md`),
      ],
    },
    { title: 'Concepts', pages: ['sandbox/docs/concepts.md', 'kernel/README.md', 'react/README.md'] },
    { title: 'Plugins', pages: plugins.map(({ folder }) => `${folder}/README.md`) },
    { title: 'Embedded wallets', pages: pages.filter(page => /^plugins\/waas\/(?!README)/.test(page)) },
    { title: 'Errors', pages: ['kernel/ERRORS.md', 'sandbox/api/ERRORS.md'] },
    { title: 'Security', pages: ['SECURITY-MODEL.md', 'SECURITY.md'] },
    { title: 'Conformance', pages: pages.filter(page => page.startsWith('sandbox/testing/')) },
    { title: 'Writing plugins', pages: ['sandbox/docs/authors.md', 'CONTRIBUTING.md'] },
    {
      title: 'Self-hosting',
      pages: pages.filter(page => /^sandbox\/(operate|service|api|relay|custody|frame)\/(?!ERRORS)/.test(page)),
    },
  ]
  const listed = new Set(named.flatMap(section => section.pages))
  return [...named, { title: 'The repository', pages: pages.filter(page => !listed.has(page)) }]
}

/** `plugins/solana/README.md` → `/plugins/solana/`, as GitHub shows a folder's README. @param {string} page */
export function routeOf(page) {
  return `/${page.replace(/README\.md$/, '').replace(/\.md$/, '')}`
}

/** @param {string} page @returns {string} its first heading */
export function titleOf(page) {
  return /^# (.+)$/m.exec(readFileSync(join(root, page), 'utf8'))?.[1]?.replaceAll('`', '') ?? page
}
