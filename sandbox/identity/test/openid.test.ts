/** Tests the standard OpenID providers with an independent OpenID client (openid-client). */
import * as client from 'openid-client'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { sandboxClient } from '../src/clients.js'
import { type Identity, startIdentity } from '../src/index.js'
import { visit } from './visit.js'

// Real services need more time on a slow machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

let identity: Identity
beforeAll(async () => {
  identity = await startIdentity()
})
afterEach(() => identity.faults.clear())
afterAll(() => identity.stop())

function resolve(url: string) {
  return url.replace(identity.url, identity.internalUrl)
}

describe.each(['google', 'gitlab'])('%s', provider => {
  const redirect_uri = `http://app.localhost:4000/auth/social/${provider}`

  const discover = async (secret = sandboxClient(provider).secret) => {
    const config = await client.discovery(
      new URL(`${identity.url}/${provider}`),
      sandboxClient(provider).id,
      undefined,
      client.ClientSecretPost(secret),
      {
        execute: [client.allowInsecureRequests],
        // Node does not resolve `identity.localhost`.
        [client.customFetch]: (url, { method, headers, body }) =>
          fetch(resolve(url), { method, headers, ...(body instanceof URLSearchParams && { body }) }),
      },
    )
    return config
  }
  const begin = async (config: client.Configuration, more: Record<string, string> = {}) => {
    const verifier = client.randomPKCECodeVerifier()
    const [state, nonce] = [client.randomState(), client.randomNonce()]
    const code_challenge = await client.calculatePKCECodeChallenge(verifier)
    const url = client.buildAuthorizationUrl(config, {
      redirect_uri,
      scope: 'openid email profile',
      state,
      nonce,
      code_challenge,
      code_challenge_method: 'S256',
      ...more,
    })
    return { url: url.href, checks: { pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce } }
  }
  const go = async (url: string, user = 'ann') => {
    const { page, params } = await visit(url, {
      user,
      until: ({ pathname }) => pathname.startsWith('/auth/social'),
      resolve,
    })
    return new URL(`${page}?${new URLSearchParams(params)}`)
  }

  it('signs a user in with the endpoints of the discovery document', async () => {
    const config = await discover()
    const { issuer, code_challenge_methods_supported } = config.serverMetadata()
    expect([issuer, code_challenge_methods_supported]).toEqual([`${identity.url}/${provider}`, ['S256']])
    const { url, checks } = await begin(config, { prompt: 'select_account' })
    const tokens = await client.authorizationCodeGrant(config, await go(url), { ...checks, idTokenExpected: true })
    const { sub = '' } = tokens.claims() ?? {}
    expect(sub).not.toBe('')
    expect(await client.fetchUserInfo(config, tokens.access_token, sub)).toMatchObject({
      sub,
      name: 'Ann Archer',
      email: 'ann@people.example',
      email_verified: true,
    })
  })

  it('refuses a used code, and revokes the tokens of the code’s first use', async () => {
    const config = await discover()
    const { url, checks } = await begin(config)
    const back = await go(url)
    const { access_token } = await client.authorizationCodeGrant(config, back, checks)
    await expect(client.authorizationCodeGrant(config, back, checks)).rejects.toMatchObject({ error: 'invalid_grant' })
    await expect(client.fetchUserInfo(config, access_token, client.skipSubjectCheck)).rejects.toMatchObject({
      status: 401,
    })
  })

  it('refuses a wrong client secret, PKCE verifier or redirect URI', async () => {
    const wrongSecret = await discover('wrong')
    const first = await begin(wrongSecret)
    await expect(client.authorizationCodeGrant(wrongSecret, await go(first.url), first.checks)).rejects.toMatchObject({
      error: 'invalid_client',
    })
    const config = await discover()
    const second = await begin(config)
    const checks = { ...second.checks, pkceCodeVerifier: client.randomPKCECodeVerifier() }
    await expect(client.authorizationCodeGrant(config, await go(second.url), checks)).rejects.toMatchObject({
      error: 'invalid_grant',
    })
    const elsewhere = await begin(config, { redirect_uri: 'https://evil.example/' })
    await expect(go(elsewhere.url)).rejects.toThrow(/invalid_redirect_uri/)
  })

  it('redirects with the error when the user declines or the server fails', async () => {
    const config = await discover()
    const { url, checks } = await begin(config)
    await expect(client.authorizationCodeGrant(config, await go(url, 'cancel'), checks)).rejects.toMatchObject({
      error: 'access_denied',
    })
    identity.faults.set(provider, { returns: 'server_error' })
    const next = await begin(config)
    await expect(client.authorizationCodeGrant(config, await go(next.url), next.checks)).rejects.toMatchObject({
      error: 'server_error',
    })
  })
})
