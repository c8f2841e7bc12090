// @vitest-environment happy-dom
/** The 22 providers as plugins: their data, their options, and what they share. */
import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { account } from '@keybay/account'
import { createKeybay } from '@keybay/kernel'
import { SOCIAL_PROVIDERS } from '@keybay/kernel/spec'
import { expect, it } from 'vitest'
import * as entry from '../src/index.js'
import { PROVIDERS } from '../src/server/index.js'

// biome-ignore lint/performance/noDynamicNamespaceImportAccess: all of them, by the specification's names
const plugins = SOCIAL_PROVIDERS.map(id => entry[id]())
const keybay = createKeybay({ appName: 'Test', logLevel: 'silent', plugins: [account(), ...plugins] })

it('social has the 22 providers of the specification, each with its server half', () => {
  expect(plugins.map(({ id }) => id)).toEqual(SOCIAL_PROVIDERS.map(id => `social:${id}`))
  expect(keybay.connectors.list().map(({ id }) => id)).toEqual(plugins.map(({ id }) => id))
  expect(PROVIDERS.map(({ id }) => id).sort()).toEqual([...SOCIAL_PROVIDERS].sort())
})
it.each(SOCIAL_PROVIDERS)('%s has its own name and icon', id => {
  const icons = keybay.connectors.list().map(({ icon }) => icon)
  const { name, icon } = keybay.connectors.get(`social:${id}`) ?? {}
  expect(name).toMatch(/\S/)
  expect(icons.filter(other => other === icon)).toHaveLength(1)
  const svg = decodeURIComponent(icon ?? '').replace(/^data:image\/svg\+xml,/, '')
  expect(svg).toMatch(
    /^<svg xmlns='[^']+' viewBox='0 0 24 24'><path fill='#(?:[0-9a-f]{3}){1,2}' fill-rule='evenodd' d='M[\d\s.,a-z-]+z'\/><\/svg>$/i,
  )
})
it.each(PROVIDERS)('$id requests the scopes of its server half, and names the same documentation', async provider => {
  const source = await readFile(join(import.meta.dirname, `../src/providers/${provider.id}.ts`), 'utf8')
  expect(/@see (\S+)/.exec(source)?.[1]).toBe(provider.docs)
  const [, scopes] = /scopes: \[([^\]]*)\]/.exec(source) ?? []
  expect(scopes?.match(/[^', ]+/g)).toEqual(provider.protocol === 'oauth2' ? provider.scopes : undefined)
})
it('the host can set the name and colour of a social provider', () => {
  const renamed = entry.google({ name: 'Acme Google', colour: '#123456' })
  const { connectors } = createKeybay({ appName: 'Test', logLevel: 'silent', plugins: [account(), renamed] })
  expect(connectors.get('social:google')).toMatchObject({ name: 'Acme Google' })
  expect(connectors.get('social:google').icon).toContain('%23123456')
})
it('has one API for all social providers, and a separate API in another instance', () => {
  const other = createKeybay({ appName: 'Test', logLevel: 'silent', plugins: [account(), entry.google()] })
  expect(keybay.social.signIn).toBeTypeOf('function')
  expect(other.social).not.toBe(keybay.social)
  const without = createKeybay({ appName: 'Test', logLevel: 'silent', plugins: [account(), entry.social()] })
  expect(without).not.toHaveProperty('social')
})
it('refuses a social provider that is listed twice', () => {
  expect(() => createKeybay({ appName: 'Test', plugins: [account(), entry.google(), entry.google()] })).toThrow(
    expect.objectContaining({ code: 'plugin_duplicate', message: expect.stringContaining('social:google') }),
  )
})
it('the server half of social imports only its own files', async () => {
  const folder = join(import.meta.dirname, '../src/server')
  const files = (await readdir(folder, { recursive: true })).filter(name => name.endsWith('.ts'))
  for (const name of files) {
    const imports = (await readFile(join(folder, name), 'utf8')).matchAll(/from '([^']+)'/g)
    for (const [, specifier = ''] of imports)
      expect(relative(folder, join(folder, name, '..', specifier)), `${name}: ${specifier}`).not.toMatch(
        /^\.\.|^[^.]*$/,
      )
  }
})
