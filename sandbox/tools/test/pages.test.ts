import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { brokenLinks, getAnchors, getQuotes } from '../src/pages.mjs'
import { root } from '../src/repo.mjs'
import { trackedFiles } from '../src/snippets.mjs'

function read(file: string): string {
  return readFileSync(join(root, file), 'utf8')
}

const pages = trackedFiles().filter(
  file => file.endsWith('.md') && !/(^|\/)CHANGELOG\.md$|^\.changeset\/|\/template\//.test(file),
)

it.each(pages)('every link of %s within the repository leads to a file and a heading', page =>
  expect(brokenLinks(page, read(page))).toEqual([]),
)

it.each([
  ['[a](gone.md)', 'sandbox/docs/gone.md does not exist'],
  ['[a](../../plugins/gone#readme)', 'plugins/gone does not exist'],
  ['[a](#nowhere)', 'there is no heading #nowhere'],
  ['[a](../../README.md#nowhere)', 'there is no heading #nowhere'],
  ['[a](https://github.com/keybay/keybay/tree/main/plugins/gone#readme)', 'plugins/gone does not exist'],
])('reports the broken link %s', (text, problem) =>
  expect(brokenLinks('sandbox/docs/page.md', text)).toEqual([expect.stringContaining(problem)]),
)

it.each(['[a](https://example.com/gone)', '[a](../../README.md)', '[a](../../plugins/social)', '`[a](gone.md)`'])(
  'accepts %s',
  text => expect(brokenLinks('sandbox/docs/page.md', text)).toEqual([]),
)

it('forms anchors of headings as GitHub does', () =>
  expect([...getAnchors('# A wallet, `over` a channel\n## What’s next?\n')]).toEqual([
    'a-wallet-over-a-channel',
    'whats-next',
  ]))

const guide = 'sandbox/docs/authors.md'
const quotes = getQuotes(read(guide))

it.each(quotes)('the block at line $line of the authors’ guide is a part of $file', ({ file, code }) =>
  expect(read(`sandbox/testing/guides/${file}`)).toContain(code),
)

it('the authors’ guide quotes a wallet, a login, a social provider, hooks and a size budget', () =>
  expect(quotes.map(({ file }) => file)).toEqual(
    expect.arrayContaining([
      'frame-wallet/index.ts',
      'magic-link/index.ts',
      'acme-social/index.ts',
      'acme-social/server.ts',
      'frame-wallet/react.ts',
      'size.test.ts',
    ]),
  ))
