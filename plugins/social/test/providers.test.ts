// @vitest-environment happy-dom

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { account } from '@keybay/account'
import { createKeybay } from '@keybay/kernel'
import { SOCIAL_PROVIDERS } from '@keybay/kernel/spec'
import { afterEach, expect, it, vi } from 'vitest'
import * as entry from '../src/index.js'
import { PROVIDERS } from '../src/server/index.js'

// biome-ignore lint/performance/noDynamicNamespaceImportAccess: all of them, by the specification's names
const all = SOCIAL_PROVIDERS.map(id => entry[id]())
afterEach(() => vi.restoreAllMocks())

it('has the 22 of the specification, each with its server half', () => {
  expect(all.map(({ id }) => id)).toEqual([...SOCIAL_PROVIDERS])
  expect(PROVIDERS.map(({ id }) => id).sort()).toEqual([...SOCIAL_PROVIDERS].sort())
})

it.each(all)('$id: a name, a colour, a mark', async ({ name, colour, icon }) => {
  expect(name).toMatch(/\S/)
  expect(colour).toMatch(/^#([0-9a-f]{3}){1,2}$/)
  expect((await icon()).path).toMatch(/^M[\d\s.,a-z-]+z$/i)
})

it.each(all)(
  '$id: asks for what its server half names, and leads to the same page of the provider',
  async ({ id, scopes }) => {
    const half = PROVIDERS.find(provider => provider.id === id)
    expect(scopes).toEqual(half?.protocol === 'oauth2' ? half.scopes : undefined)
    const source = await readFile(join(import.meta.dirname, `../src/providers/${id}.ts`), 'utf8')
    expect(source).toContain(` * @see ${half?.docs}\n`)
  },
)

it('lists them at once, and their own marks once the page is at rest', async () => {
  const keybay = createKeybay({ appName: 'Test', logLevel: 'silent', plugins: [account(), entry.social(all)] })
  const icons = () => all.map(({ id }) => keybay.connectors.list().find(one => one.id === `social:${id}`)?.icon ?? '')
  const before = icons()
  expect(before.every(icon => icon.startsWith('data:image/svg+xml,'))).toBe(true)
  keybay.connectors.subscribe(() => {})
  await vi.waitFor(() => expect(icons().filter((icon, at) => icon === before[at])).toEqual([]), { timeout: 10_000 })
  keybay.dispose()
})

it('takes a provider of somebody else', () => {
  const acme = entry.defineProvider({
    id: 'acme',
    name: 'Acme',
    colour: '#0a7',
    icon: async () => ({ path: 'M0 0h24v24z' }),
  })
  const keybay = createKeybay({ appName: 'Test', logLevel: 'silent', plugins: [account(), entry.social([acme])] })
  expect(keybay.connectors.get('social:acme')).toMatchObject({ kind: 'login', method: 'oauth', provider: 'acme' })
  keybay.dispose()
})
