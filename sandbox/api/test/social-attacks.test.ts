/** Tests attacks on social sign-in, and failures of a provider. */
import { createHmac } from 'node:crypto'
import { sandboxClient } from '@keybay/sandbox-identity/clients'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { FRAME } from './backup-frame.js'
import { APP, sha256 } from './client.js'
import { flowBody, newSecrets, startSocialWorld } from './social-world.js'

const world = await startSocialWorld()
afterAll(world.stop)
afterEach(() => {
  world.identity.faults.clear()
  world.api.clock.reset()
  world.identity.clock.reset()
})

describe('user identity', () => {
  it('a social account never joins a user by its email address, verified or not', async () => {
    const victim = world.kit()
    const { body } = await victim.signInByEmail('ann@people.example')
    for (const [provider, user] of [
      ['google', 'mallory'],
      ['discord', 'mallory'],
      ['google', 'ann'],
    ] as const) {
      const other = await world.signIn(world.kit(), provider, user)
      expect(other.body).toMatchObject({ isNewUser: true, user: { email: null } })
      expect(other.body.user.id).not.toBe(body.user.id)
      const [{ profile }] = other.body.user.credentials
      expect(profile).toMatchObject({ email: 'ann@people.example', emailVerified: user === 'ann' })
    }
    expect((await victim.call('/users/me')).body.credentials).toHaveLength(1)
  })
  it('the wallet’s window names no account by an address that its provider has not verified', async () => {
    const headers = { origin: FRAME }
    for (const [provider, user, account] of [
      ['google', 'ann', 'ann@people.example'],
      ['google', 'mallory', /^google: (?!ann@)/],
      ['discord', 'mallory', /^discord: (?!ann@)/],
    ] as const) {
      const kit = world.kit()
      await world.signIn(kit, provider, user)
      const answer = await kit.call('/auth/frame-account', { method: 'GET', proof: false, headers })
      expect(answer.body.account).toEqual(typeof account === 'string' ? account : expect.stringMatching(account))
    }
  })
  it('accounts of two providers with the same account ID are two users', async () => {
    const github = await world.signIn(world.kit(), 'github', 'cleo')
    const twitch = await world.signIn(world.kit(), 'twitch', 'cleo')
    // Both providers use the same number for this user.
    expect(github.body.user.credentials[0].accountId).toBe(twitch.body.user.credentials[0].accountId)
    expect(twitch.body.user.id).not.toBe(github.body.user.id)
  })
})

describe('a flow', () => {
  it('refuses a social flow that redirects to a page outside the environment', async () => {
    const kit = world.kit()
    const flow = (redirectUrl: string) =>
      kit.call('/social/github/flow', { body: { ...flowBody('github', newSecrets()), redirectUrl } })
    for (const url of [
      'https://evil.example/x',
      'http://app.localhost.evil.example:4000/x',
      `${APP.replace('4000', '4001')}/x`,
    ])
      expect(await flow(url), url).toMatchObject({ status: 403, body: { code: 'origin_not_allowed' } })
    for (const url of [
      'javascript:alert(1)',
      '//evil.example',
      `${APP}/x#y`,
      `${APP}/x?next=https://evil.example`,
      'x',
    ])
      expect(await flow(url), url).toMatchObject({ status: 400, body: { code: 'invalid_request' } })
    const user = await flow(`${APP.replace('http://', 'http://user:pass@')}/x`)
    expect(user.status).toBe(400)
  })
  it('accepts a social response only from the session key, provider and environment of its flow, for ten minutes', async () => {
    const kit = world.kit()
    const attempt = await world.begin(kit, 'github')
    const { params } = await world.go(attempt)
    const refused = { status: 400, body: { code: 'session_timeout' } }
    expect(await world.end(world.kit(), attempt, params)).toMatchObject(refused)
    expect(await world.end(kit, attempt, params, {}, { environmentId: 'few' })).toMatchObject(refused)
    expect((await world.end(kit, attempt, params)).status).toBe(200)
    const other = await world.begin(kit, 'github')
    expect(await world.end(kit, { ...other, provider: 'gitlab' }, params)).toMatchObject(refused)
    const late = await world.begin(kit, 'github')
    world.api.clock.advance(10 * 60_000 + 1)
    expect(await world.end(kit, late, params)).toMatchObject(refused)
  })
  it('refuses a Shopify flow without a valid shop domain', async () => {
    const kit = world.kit()
    for (const shop of ['evil.example', 'a.myshopify.com.evil.example', 'x/../y.myshopify.com', undefined]) {
      const body = { ...flowBody('shopify', newSecrets()), shop }
      expect((await kit.call('/social/shopify/flow', { body })).body.code, shop).toBe('invalid_request')
    }
  })
  it('shows no secret of a social flow to the provider, and logs none', async () => {
    const kit = world.kit()
    const attempt = await world.begin(kit, 'google')
    for (const secret of Object.values(attempt.secrets)) expect(attempt.authorizationUrl).not.toContain(secret)
    const { params } = await world.go(attempt)
    await world.end(kit, attempt, params)
    const written = JSON.stringify(world.logs)
    for (const secret of [...Object.values(attempt.secrets), params.code ?? 'none', attempt.stateHash])
      expect(written).not.toContain(secret)
  })
  it('accepts a code without the other response parameters, which the client has already checked', async () => {
    for (const provider of ['google', 'twitter']) {
      const kit = world.kit()
      const attempt = await world.begin(kit, provider)
      const { params } = await world.go(attempt)
      const ended = await kit.call(`/social/${provider}/exchange`, {
        body: { flowId: attempt.flowId, ...attempt.secrets, code: params.code },
      })
      expect(ended.status).toBe(200)
    }
    for (const provider of ['steam', 'shopify', 'farcaster', 'telegram']) {
      const kit = world.kit()
      const attempt = await world.begin(kit, provider)
      const { params } = await world.go(attempt)
      const { state: _, tgAuthResult, ...rest } = params
      const code = tgAuthResult ?? new URLSearchParams(rest).toString()
      const ended = await kit.call(`/social/${provider}/exchange`, {
        body: { flowId: attempt.flowId, ...attempt.secrets, code },
      })
      expect(ended.status, provider).toBe(200)
    }
  })
})

describe('provider failures', () => {
  const answered = async (provider: string, fault: object) => {
    world.identity.faults.set(provider, fault)
    const kit = world.kit()
    const attempt = await world.begin(kit, provider)
    const { params } = await world.go(attempt)
    return (await world.end(kit, attempt, params)).body
  }
  it.each(['apple', 'line', 'linkedin', 'microsoft', 'twitch'])(
    'verifies signature, audience, issuer, nonce and times of the ID tokens of %s',
    async provider => {
      for (const idToken of ['signature', 'audience', 'issuer', 'nonce']) {
        // LinkedIn repeats no nonce.
        if (provider === 'linkedin' && idToken === 'nonce') continue
        expect(await answered(provider, { idToken }), idToken).toMatchObject({ code: 'verification_error' })
      }
      for (const skew of [7200, -7200])
        expect(await answered(provider, { skew }), String(skew)).toMatchObject({
          code: 'verification_error',
          details: { reason: 'time' },
        })
      expect(await answered(provider, { skew: 30 })).toMatchObject({ status: 'authenticated' })
    },
  )

  // oidc-provider uses its own clock, so shift ours instead. Its ID tokens are valid for an hour.
  it.each(['google', 'gitlab'])(
    'verifies the times of ID tokens of %s when the clock of the API is wrong',
    async provider => {
      const signedInAt = async (seconds: number) => {
        world.api.clock.advance(seconds * 1000)
        try {
          return await answered(provider, {})
        } finally {
          world.api.clock.reset()
        }
      }
      for (const seconds of [-30, 30, 3_620])
        expect(await signedInAt(seconds), String(seconds)).toMatchObject({ status: 'authenticated' })
      for (const seconds of [-7_200, -150, 3_720, 7_200])
        expect(await signedInAt(seconds), String(seconds)).toMatchObject({
          code: 'verification_error',
          message: 'The social account could not be verified.',
          details: { reason: 'time' },
        })
    },
  )
  it('verifies signature and time of the signed responses of Steam, Telegram and Farcaster', async () => {
    for (const provider of ['steam', 'telegram', 'farcaster'])
      expect(await answered(provider, { idToken: 'signature' }), provider).toMatchObject({ code: 'verification_error' })
    for (const skew of [3600, -3600])
      for (const provider of ['telegram', 'farcaster'])
        expect(await answered(provider, { skew })).toMatchObject({ details: { reason: 'time' } })
  })
  it('refuses a signed response of Steam, Shopify or Telegram if a field was changed', async () => {
    const altered = async (provider: string, change: (params: Record<string, string>) => object) => {
      const kit = world.kit()
      const attempt = await world.begin(kit, provider)
      const { params } = await world.go(attempt)
      return (await world.end(kit, attempt, { ...params, ...change(params) })).body
    }
    const another = (name: string) => (params: Record<string, string>) => ({
      [name]: (params[name] ?? '').replace('100001', '100002'),
    })
    expect(await altered('steam', another('openid.claimed_id'))).toMatchObject({ code: 'verification_error' })
    const both = (params: Record<string, string>) => ({
      ...another('openid.claimed_id')(params),
      ...another('openid.identity')(params),
    })
    expect(await altered('steam', both)).toMatchObject({ details: { reason: 'signature' } })
    expect(await altered('steam', () => ({ 'openid.signed': 'mode' }))).toMatchObject({ details: { reason: 'signed' } })
    expect(await altered('steam', () => ({ 'openid.op_endpoint': 'https://evil.example' }))).toMatchObject({
      details: { reason: 'endpoint' },
    })
    expect(await altered('shopify', () => ({ timestamp: '1' }))).toMatchObject({ details: { reason: 'hmac' } })
    expect(await altered('shopify', () => ({ shop: 'evil.myshopify.com' }))).toMatchObject({
      details: { reason: 'hmac' },
    })
    // Signed, but without a valid time, so its age cannot be checked.
    const signed = (params: Record<string, string>) => {
      const all: Record<string, string> = { ...params, timestamp: 'never' }
      const names = ['code', 'host', 'shop', 'state', 'timestamp']
      const text = names.flatMap(name => (all[name] === undefined ? [] : [`${name}=${all[name]}`])).join('&')
      return { ...all, hmac: createHmac('sha256', sandboxClient('shopify').secret).update(text).digest('hex') }
    }
    expect(await altered('shopify', signed)).toMatchObject({ details: { reason: 'time' } })
    const telegram = ({ tgAuthResult = '' }: Record<string, string>) => {
      const fields = JSON.parse(Buffer.from(tgAuthResult, 'base64url').toString())
      return { tgAuthResult: Buffer.from(JSON.stringify({ ...fields, id: 100_002 })).toString('base64url') }
    }
    expect(await altered('telegram', telegram)).toMatchObject({ details: { reason: 'hmac' } })
  })
  it('accepts a Telegram response once, also from another session', async () => {
    const kit = world.kit()
    const first = await world.begin(kit, 'telegram')
    const { params } = await world.go(first)
    expect((await world.end(kit, first, params)).status).toBe(200)
    const thief = world.kit()
    const second = await world.begin(thief, 'telegram')
    expect((await world.end(thief, second, { ...params, state: second.stateHash })).body).toMatchObject({
      code: 'verification_error',
      details: { reason: 'replay' },
    })
  })
  it('refuses a social response that names the issuer of another provider', async () => {
    const kit = world.kit()
    const attempt = await world.begin(kit, 'google')
    const { params } = await world.go(attempt)
    expect(params.iss).toBe(`${world.identity.url}/google`)
    expect((await world.end(kit, attempt, { ...params, iss: 'https://evil.example' })).body).toMatchObject({
      code: 'verification_error',
      details: { reason: 'issuer' },
    })
  })
  it('reports an error of the provider, and an unreadable response', async () => {
    for (const provider of ['github', 'google'])
      expect(await answered(provider, { returns: 'server_error' })).toMatchObject({
        code: 'oauth_error',
        details: { error: 'server_error' },
      })
    for (const provider of ['github', 'kraken', 'tiktok', 'twitch'])
      expect(await answered(provider, { rubbish: true }), provider).toMatchObject({ code: 'general_error' })
  })
  it('reports an expired authorization code as invalid_grant', async () => {
    const kit = world.kit()
    const attempt = await world.begin(kit, 'twitter')
    const { params } = await world.go(attempt)
    world.identity.clock.advance(31_000)
    expect((await world.end(kit, attempt, params)).body).toMatchObject({
      code: 'oauth_error',
      details: { error: 'invalid_grant' },
    })
  })
})

describe('Apple’s form', () => {
  const post = (fields: Record<string, string>, provider = 'apple') =>
    fetch(`http://127.0.0.1:${world.api.port}/api/v0/sdk/local/social/${provider}/callback`, {
      method: 'POST',
      redirect: 'manual',
      headers: { origin: 'https://appleid.apple.com' },
      body: new URLSearchParams(fields),
    })
  it('redirects the form that Apple posts to the page that began the flow, and to no other page', async () => {
    const attempt = await world.begin(world.kit(), 'apple')
    const good = await post({ state: attempt.stateHash, error: 'user_cancelled_authorize' })
    expect(good.status).toBe(303)
    expect(good.headers.get('location')).toBe(
      `${APP}/auth/social/apple#${new URLSearchParams({ state: attempt.stateHash, error: 'user_cancelled_authorize' })}`,
    )
    expect((await post({ state: sha256('unknown'), code: 'x' })).status).toBe(404)
    expect((await post({ code: 'x' })).status).toBe(400)
    // A state that no database accepts is not valid either.
    expect((await post({ state: '\0'.repeat(43), code: 'x' })).status).toBe(400)
    expect((await post({ state: attempt.stateHash, code: 'x' }, 'google')).status).toBe(404)
  })
  it('refuses an invalid code from Apple, whatever name is posted with it', async () => {
    const kit = world.kit()
    const attempt = await world.begin(kit, 'apple')
    // A party that knows the state can send any name; the account is still the code's.
    await post({ state: attempt.stateHash, code: 'x', user: '{"name":{"firstName":"Eve"},"sub":"other"}' })
    expect((await world.end(kit, attempt, { state: attempt.stateHash, code: 'x' })).body).toMatchObject({
      code: 'oauth_error',
      details: { error: 'invalid_grant' },
    })
  })
})

it('X returns an email address only if its scope was requested', async () => {
  const withScopes = async (scopes: readonly string[]) => {
    const kit = world.kit()
    const attempt = await world.begin(kit, 'twitter', { scopes })
    const { body } = await world.end(kit, attempt, (await world.go(attempt, 'cleo')).params)
    return body.user.credentials.at(0).profile
  }
  const basic = ['users.read', 'tweet.read']
  expect(await withScopes(basic)).not.toHaveProperty('email')
  expect(await withScopes([...basic, 'users.email'])).toMatchObject({
    email: 'cleo@people.example',
    emailVerified: true,
  })
})

describe('tokens of the provider', () => {
  it('returns a provider’s access token only to the host’s server, and never logs it', async () => {
    const kit = world.kit()
    const { user } = (await world.signIn(kit, 'github', 'dan')).body
    const host = await world.apiToken()
    const path = `/social/github/token?userId=${user.id}`
    const { status, body } = await kit.call(path, { token: host })
    expect(status).toBe(200)
    expect(body).toMatchObject({ accessToken: expect.any(String), scope: 'read:user,user:email' })
    const response = await fetch(`${world.identity.internalUrl}/github/user`, {
      headers: { authorization: `Bearer ${body.accessToken}` },
    })
    expect(await response.json()).toMatchObject({ login: 'dan' })
    expect((await kit.call(path)).status).toBe(401)
    expect((await kit.call(path, { token: undefined })).status).toBe(401)
    expect((await kit.call(path.replace('github', 'google'), { token: host })).body.code).toBe('credential_not_found')
    expect(JSON.stringify(world.logs)).not.toContain(body.accessToken)
  })
  it('does not return a Google access token with the Drive scope to the host’s server', async () => {
    const kit = world.kit()
    const scopes = ['openid', 'email', 'profile', 'https://www.googleapis.com/auth/drive.appdata']
    const attempt = await world.begin(kit, 'google', { scopes })
    const { params } = await world.go(attempt, 'dan')
    const { user } = (await world.end(kit, attempt, params)).body
    const answer = await kit.call(`/social/google/token?userId=${user.id}`, { token: await world.apiToken() })
    expect(answer.body.code).toBe('credential_not_found')
    // Token of the same provider, without the Drive scope.
    const other = (await world.signIn(world.kit(), 'google', 'cleo')).body
    const otherResponse = await kit.call(`/social/google/token?userId=${other.user.id}`, {
      token: await world.apiToken(),
    })
    expect(otherResponse.body).toMatchObject({ accessToken: expect.any(String), scope: 'openid email profile' })
  })
})
