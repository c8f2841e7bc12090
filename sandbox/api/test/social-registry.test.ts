/** Tests which providers work with the operator's settings: credentials, identity, neither, or half. */
import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@keybay/sandbox-service/testing/temporary-folder'
import { PROVIDERS } from '@keybay/social/server'
import { describe, expect, it } from 'vitest'
import { optionsFromEnv } from '../src/config.js'
import type { LogLine } from '../src/index.js'
import { withOwnProviders } from '../src/social/from-env.js'
import { createSocialRegistry } from '../src/social/registry.js'
import { standInsFromEnv, withStandIns } from '../src/stand-ins.js'
import { startWorld } from './client.js'
import { acmeProvider, flowBody, newSecrets, socialSettings } from './social-world.js'

function read(env: Record<string, string>) {
  const logs: LogLine[] = []
  const options = standInsFromEnv(env, optionsFromEnv(env))
  const registry = createSocialRegistry(options.social ?? {}, line => logs.push(line))
  const active = PROVIDERS.flatMap(({ id }) => registry.get(id) ?? [])
  return { logs, active, of: (id: string) => registry.get(id) }
}

describe('providers', () => {
  it('all social providers use the identity service by default in the sandbox', () => {
    const { active, logs, of } = read({})
    expect(active).toHaveLength(22)
    expect(logs).toEqual([])
    const google = of('google')
    expect(google?.publicUrl('https://accounts.google.com')).toBe('http://identity.localhost:4500/google')
    expect(google?.internalUrl('https://oauth2.googleapis.com/token')).toBe('http://127.0.0.1:4500/google/token')
    expect(of('shopify')?.publicUrl('https://acme.myshopify.com/admin/oauth/authorize')).toBe(
      'http://identity.localhost:4500/shopify/acme.myshopify.com/admin/oauth/authorize',
    )
  })
  it('uses the real provider if its two variables are set, and leaves the other providers as they are', () => {
    const { active, of, logs } = read({ SOCIAL_GOOGLE_CLIENT_ID: 'mine', SOCIAL_GOOGLE_CLIENT_SECRET: 'secret' })
    expect(active).toHaveLength(22)
    const google = of('google')
    expect(google?.client).toEqual({ id: 'mine', secret: 'secret' })
    expect(google?.publicUrl('https://accounts.google.com')).toBe('https://accounts.google.com')
    expect(of('github')?.publicUrl('https://github.com/x')).toContain('identity.localhost')
    expect(JSON.stringify(logs)).not.toContain('secret')
  })
  it('disables providers without credentials if the identity service is off, and logs the missing variables', () => {
    const { active, logs } = read({
      IDENTITY_URL: 'off',
      SOCIAL_GITHUB_CLIENT_ID: 'mine',
      SOCIAL_GITHUB_CLIENT_SECRET: 'secret',
    })
    expect(active.map(({ provider }) => provider.id)).toEqual(['github'])
    expect(logs).toHaveLength(21)
    expect(logs).toContainEqual({
      level: 'warn',
      message: 'social provider is off: credentials are missing',
      provider: 'google',
      missing: ['SOCIAL_GOOGLE_CLIENT_ID', 'SOCIAL_GOOGLE_CLIENT_SECRET'],
    })
  })
  it('does not list disabled providers in the settings, and refuses their flows', async () => {
    const clients = { github: { id: 'mine', secret: 'secret' } }
    const world = await startWorld({ environments: { local: socialSettings }, social: { clients } })
    try {
      const kit = world.kit()
      expect((await kit.call('/settings')).body.signIn.social).toEqual(['github'])
      const body = flowBody('google', newSecrets())
      expect((await kit.call('/social/google/flow', { body })).body).toMatchObject({ code: 'provider_not_enabled' })
      expect(world.logs).toContainEqual(
        expect.objectContaining({
          provider: 'google',
          missing: ['SOCIAL_GOOGLE_CLIENT_ID', 'SOCIAL_GOOGLE_CLIENT_SECRET'],
        }),
      )
    } finally {
      await world.stop()
    }
  })
  it('disables providers without credentials outside the sandbox, whatever IDENTITY_URL says', () => {
    for (const env of [{}, { IDENTITY_URL: 'http://identity.localhost:4500' }]) {
      const logs: LogLine[] = []
      const registry = createSocialRegistry(optionsFromEnv(env).social ?? {}, line => logs.push(line))
      expect(PROVIDERS.flatMap(({ id }) => registry.get(id) ?? [])).toEqual([])
      expect(logs).toHaveLength(22)
    }
  })
  it('disables a provider with half of its credentials, instead of using the identity service', () => {
    const { of, logs } = read({ SOCIAL_GOOGLE_CLIENT_ID: 'mine' })
    expect(of('google')).toBeUndefined()
    expect(logs).toMatchObject([{ provider: 'google', missing: ['SOCIAL_GOOGLE_CLIENT_SECRET'] }])
  })
  it('loads the operator’s own providers from the module in API_SOCIAL_MODULE', async () => {
    const folder = temporaryFolder()
    const module = (text: string) => {
      const file = join(folder, `${randomUUID()}.mjs`)
      writeFileSync(file, text)
      return { API_SOCIAL_MODULE: file, SOCIAL_MY_IDP_CLIENT_ID: 'mine', SOCIAL_MY_IDP_CLIENT_SECRET: 'secret' }
    }
    const good = module("export const providers = [{ id: 'my-idp', protocol: 'oauth2' }]")
    const { social } = await withOwnProviders(good, optionsFromEnv(good))
    expect(createSocialRegistry(social ?? {}, () => undefined).get('my-idp')?.client).toEqual({
      id: 'mine',
      secret: 'secret',
    })
    const empty = module('export const other = 1')
    await expect(withOwnProviders(empty, optionsFromEnv(empty))).rejects.toThrow(/API_SOCIAL_MODULE/)
    const none = { API_SOCIAL_MODULE: join(folder, 'none.mjs') }
    await expect(withOwnProviders(none, optionsFromEnv(none))).rejects.toThrow(/API_SOCIAL_MODULE/)
  })
  it('enables a custom provider only with credentials, even if the identity service is on', () => {
    const acme = acmeProvider('https://acme.example')
    const logs: LogLine[] = []
    const identity = { publicUrl: 'http://i.localhost', internalUrl: 'http://127.0.0.1' }
    const { social } = withStandIns({ social: { identity, providers: [acme] } })
    const off = createSocialRegistry(social, line => logs.push(line))
    expect(off.get('acme')).toBeUndefined()
    expect(logs).toMatchObject([{ missing: ['SOCIAL_ACME_CLIENT_ID', 'SOCIAL_ACME_CLIENT_SECRET'] }])
    const clients = { acme: { id: 'a', secret: 's' } }
    expect(createSocialRegistry({ providers: [acme], clients }, () => undefined).get('acme')?.client.id).toBe('a')
  })
})
