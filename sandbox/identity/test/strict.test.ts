/** Tests that each provider refuses what the real one refuses, with hand-made requests that have one error each. */
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { sandboxClient } from '../src/clients.js'
import { type Identity, startIdentity } from '../src/index.js'
import type { StandIn } from '../src/oauth/types.js'
import * as providers from '../src/providers/index.js'
import { visit } from './visit.js'

// Real services need more time on a slow machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

let identity: Identity
beforeAll(async () => {
  identity = await startIdentity()
})
afterAll(() => identity.stop())

const STAND_INS: readonly StandIn[] = Object.values(providers)
const verifier = 'v'.repeat(43)
const challenge = createHash('sha256').update(verifier).digest('base64url')
const SHOP = 'acme.myshopify.com'

function getPath({ id, shops }: StandIn, path: string) {
  return `${identity.internalUrl}/${id}${shops ? `/${SHOP}` : ''}${path}`
}

function getRedirectUri({ id }: StandIn) {
  return `http://app.localhost:4000/auth/social/${id}`
}

function askFor(standIn: StandIn, change: Record<string, string | undefined> = {}): string {
  const { id, scopes, scopeSeparator = ' ', clientIdName = 'client_id', demands = {} } = standIn
  const parameters: Record<string, string | undefined> = {
    [clientIdName]: sandboxClient(id).id,
    redirect_uri: getRedirectUri(standIn),
    response_type: 'code',
    scope: scopes.join(scopeSeparator),
    state: 'some-state',
    ...(standIn.pkce !== 'none' && { code_challenge: challenge, code_challenge_method: 'S256' }),
    ...Object.fromEntries(Object.entries(demands).map(([name, [value]]) => [name, value])),
    ...change,
  }
  const said = Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return `${getPath(standIn, standIn.authorizePath)}?${new URLSearchParams(said)}`
}

function go(url: string, user = 'ann') {
  return visit(url, { user, until: ({ pathname }) => pathname.startsWith('/auth/social'), resolve: href => href })
}

/** Calls the token endpoint as the provider documents it. */
async function exchange(standIn: StandIn, code: string, change: Record<string, string> = {}, secret?: string) {
  const { id, clientIdName = 'client_id', clientAuthentication } = standIn
  const client = { ...sandboxClient(id), ...(secret !== undefined && { secret }) }
  const basic = Buffer.from(`${client.id}:${client.secret}`).toString('base64')
  const response = await fetch(getPath(standIn, standIn.tokenPath), {
    method: 'POST',
    headers: clientAuthentication === 'basic' ? { authorization: `Basic ${basic}` } : {},
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code,
      redirect_uri: getRedirectUri(standIn),
      ...(standIn.pkce !== 'none' && { code_verifier: verifier }),
      ...(clientAuthentication !== 'basic' && { [clientIdName]: client.id, client_secret: client.secret }),
      ...change,
    }),
  })
  return { status: response.status, text: await response.text() }
}

describe.each(STAND_INS.map(standIn => ({ ...standIn, standIn })))('$id', ({ standIn, id, shops, pkce, scopes }) => {
  it('does not redirect for an unknown client or an unknown redirect URI', async () => {
    const { clientIdName = 'client_id' } = standIn
    await expect(go(askFor(standIn, { [clientIdName]: 'unknown' }))).rejects.toThrow(/invalid_client/)
    for (const uri of [
      'https://evil.example/auth',
      `${getRedirectUri(standIn)}/more`,
      `${getRedirectUri(standIn)}?x=y`,
      'http://app.localhost.evil.example/auth/social/x',
      'javascript:alert(1)',
    ])
      await expect(go(askFor(standIn, { redirect_uri: uri })), uri).rejects.toThrow(/redirect_uri_mismatch/)
    // A client id under another name counts as missing.
    if (clientIdName !== 'client_id')
      await expect(
        go(askFor(standIn, { [clientIdName]: undefined, client_id: sandboxClient(id).id })),
      ).rejects.toThrow()
  })

  const back = async (change: Record<string, string | undefined>) => {
    const url = askFor(standIn, change)
    return (await go(url)).params
  }

  it('reports what is wrong with an authorization request', async () => {
    if (!shops)
      expect(await back({ response_type: 'token' })).toMatchObject({
        error: 'unsupported_response_type',
        state: 'some-state',
      })
    expect(await back({ scope: `${scopes[0]}x` })).toMatchObject({ error: 'invalid_scope' })
    for (const name of Object.keys(standIn.demands ?? {}).filter(name => name !== 'response_mode'))
      expect(await back({ [name]: undefined })).toMatchObject({ error: 'invalid_request' })
    if (pkce === 'required')
      expect(await back({ code_challenge: undefined, code_challenge_method: undefined })).toMatchObject({
        error: 'invalid_request',
      })
    if (pkce !== 'none')
      expect(await back({ code_challenge_method: 'plain' })).toMatchObject({ error: 'invalid_request' })
  })

  it('accepts a code once, from its client, with its redirect URI and verifier, before the code expires', async () => {
    // Apple's client sends a signed secret, which the API's tests cover.
    if (standIn.clientAuthentication === 'apple') {
      const { code = '' } = (await go(askFor(standIn))).params
      expect((await exchange(standIn, code)).status).toBe(400)
      return
    }
    const fresh = async () => (await go(askFor(standIn))).params.code ?? ''
    const isTokens = ({ status, text }: { status: number; text: string }) =>
      status === 200 && text.includes('access_token"')
    const code = await fresh()
    expect(isTokens(await exchange(standIn, code))).toBe(true)
    expect(isTokens(await exchange(standIn, code))).toBe(false)
    expect(isTokens(await exchange(standIn, 'unknown'))).toBe(false)
    expect(isTokens(await exchange(standIn, await fresh(), {}, 'wrong'))).toBe(false)
    if (!shops) {
      expect(isTokens(await exchange(standIn, await fresh(), { redirect_uri: 'http://localhost/' }))).toBe(false)
      expect(isTokens(await exchange(standIn, await fresh(), { grant_type: 'password' }))).toBe(false)
    }
    if (pkce !== 'none')
      expect(isTokens(await exchange(standIn, await fresh(), { code_verifier: 'w'.repeat(43) }))).toBe(false)
    const late = await fresh()
    identity.clock.advance(601_000)
    expect(isTokens(await exchange(standIn, late))).toBe(false)
    identity.clock.reset()
  })

  it('refuses resource requests without a valid token', async () => {
    for (const { path, method = 'GET' } of standIn.resources) {
      const response = await fetch(`${identity.internalUrl}/${id}${path}`, {
        method,
        headers: { authorization: 'Bearer x' },
      })
      expect(response.status).toBe(401)
    }
  })
})

it('Steam, Telegram and Farcaster refuse pages and requests of other clients', async () => {
  const at = (path: string, query: Record<string, string>) =>
    `${identity.internalUrl}${path}?${new URLSearchParams(query)}`
  const page = (id: string) => `http://app.localhost:4000/auth/social/${id}`
  const telegram = {
    bot_id: sandboxClient('telegram').id,
    origin: 'http://app.localhost:4000',
    return_to: page('telegram'),
  }
  await expect(go(at('/telegram/auth', { ...telegram, bot_id: '1' }))).rejects.toThrow(/BOT_ID_INVALID/)
  await expect(go(at('/telegram/auth', { ...telegram, origin: 'https://evil.example' }))).rejects.toThrow(/BOT_DOMAIN/)
  await expect(go(at('/telegram/auth', { ...telegram, return_to: 'https://evil.example' }))).rejects.toThrow(
    /BOT_DOMAIN/,
  )
  const ns = 'http://specs.openid.net/auth/2.0'
  const steam = {
    'openid.ns': ns,
    'openid.mode': 'checkid_setup',
    'openid.claimed_id': `${ns}/identifier_select`,
    'openid.identity': `${ns}/identifier_select`,
    'openid.return_to': page('steam'),
    'openid.realm': 'http://app.localhost:4000',
  }
  await expect(go(at('/steam/openid/login', { ...steam, 'openid.mode': 'checkid_immediate' }))).rejects.toThrow(
    /OpenID 2/,
  )
  await expect(go(at('/steam/openid/login', { ...steam, 'openid.realm': 'https://evil.example' }))).rejects.toThrow(
    /realm/,
  )
  await expect(go(at('/farcaster/~/siwf', { channelToken: 'unknown' }))).rejects.toThrow(/unknown_channel/)
})

it('the admin route sets provider faults, and only from this machine', async () => {
  const set = (body: unknown, headers: Record<string, string> = {}) =>
    fetch(`${identity.internalUrl}/admin/faults`, { method: 'POST', headers, body: JSON.stringify(body) })
  expect((await set({ provider: 'github', down: true })).status).toBe(200)
  expect((await fetch(`${identity.internalUrl}/github/user`)).status).toBe(503)
  expect((await set({ provider: 'github', down: 'yes' })).status).toBe(400)
  expect((await set({ provider: 'github' }, { origin: 'https://evil.example' })).status).toBe(403)
  expect((await fetch(`${identity.internalUrl}/admin/faults`, { method: 'DELETE' })).status).toBe(200)
  expect((await fetch(`${identity.internalUrl}/github/user`)).status).toBe(401)
})
