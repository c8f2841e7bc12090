/** Tests each of the 22 providers end to end: the API, the real service identity, and a user who chooses an account. */
import { afterAll, describe, expect, it } from 'vitest'
import { IDS, startSocialWorld } from './social-world.js'

const world = await startSocialWorld()
afterAll(world.stop)

/** Profiles that each provider returns for Ann, whose address is verified. */
const ANN: Readonly<Record<string, object>> = {
  apple: { name: 'Ann Archer', email: 'ann@people.example', emailVerified: true },
  bitbucket: { username: 'ann.archer', email: 'ann@people.example', emailVerified: true },
  coinbasesocial: { email: 'ann@people.example', emailVerified: false },
  discord: { username: 'ann.archer', name: 'Ann Archer', email: 'ann@people.example', emailVerified: true },
  epicgames: { username: 'ann.archer', emailVerified: false },
  facebook: { name: 'Ann Archer', email: 'ann@people.example', emailVerified: false },
  farcaster: { id: '100001', username: 'ann.archer', name: 'Ann Archer' },
  github: { id: '100001', username: 'ann.archer', email: 'ann@people.example', emailVerified: true },
  gitlab: { username: 'ann.archer', email: 'ann@people.example', emailVerified: true },
  google: { name: 'Ann Archer', email: 'ann@people.example', emailVerified: true },
  instagram: { username: 'ann.archer', emailVerified: false },
  kraken: { id: 'AA100001 N84G WOCU', email: 'ann@people.example', emailVerified: false },
  line: { name: 'Ann Archer', email: 'ann@people.example', emailVerified: false },
  linkedin: { name: 'Ann Archer', email: 'ann@people.example', emailVerified: true },
  microsoft: { name: 'Ann Archer', email: 'ann@people.example', emailVerified: false },
  shopify: { id: '100001', name: 'Ann Archer', email: 'ann@people.example', emailVerified: true },
  spotify: { name: 'Ann Archer', email: 'ann@people.example', emailVerified: false },
  steam: { id: '76561198000100001', username: 'ann.archer', name: 'Ann Archer' },
  telegram: { id: '100001', username: 'ann.archer', name: 'Ann Archer' },
  tiktok: { name: 'Ann Archer', emailVerified: false },
  twitch: { id: '100001', email: 'ann@people.example', emailVerified: true },
  twitter: { id: '100001', username: 'ann.archer', emailVerified: false },
}

describe.each(IDS)('%s', provider => {
  it('signs in with a social account, and finds the same user the next time', async () => {
    const kit = world.kit()
    const first = await world.signIn(kit, provider)
    expect(first).toMatchObject({ status: 200, body: { status: 'authenticated', isNewUser: true } })
    const [credential] = first.body.user.credentials
    expect(credential).toMatchObject({ method: 'oauth', provider, profile: ANN[provider] })
    expect(credential.accountId).toBe(credential.profile.id)
    const again = await world.signIn(world.kit(), provider)
    expect(again.body).toMatchObject({ isNewUser: false, user: { id: first.body.user.id } })
  })
  it('accepts social accounts without a name, picture or verified address', async () => {
    for (const user of ['ben', 'cleo', 'dan']) {
      const answer = await world.signIn(world.kit(), provider, user)
      expect(answer, user).toMatchObject({ status: 200 })
      const [{ profile }] = answer.body.user.credentials
      if (user === 'ben') expect(profile.emailVerified).toBe(false)
    }
  })
  it('links a social account to the signed-in user, refuses to link the account again, and unlinks it', async () => {
    const kit = await world.signedIn(`${provider}@example.com`)
    const linked = await world.linkAs(kit, provider, 'mallory')
    expect(linked).toMatchObject({ status: 201, body: { step: 'done', credential: { provider } } })
    expect((await world.linkAs(kit, provider, 'mallory')).body).toMatchObject({ code: 'account_already_linked' })
    expect((await kit.call(`/social/${provider}`, { method: 'DELETE' })).status).toBe(204)
    expect((await kit.call(`/social/${provider}`, { method: 'DELETE' })).body).toMatchObject({
      code: 'no_account_linked',
    })
  })
  it('[S5.13] reports the provider’s error when the user declines', async () => {
    const kit = world.kit()
    const attempt = await world.begin(kit, provider)
    const { params } = await world.go(attempt, 'cancel')
    expect(await world.end(kit, attempt, params)).toMatchObject({
      status: 400,
      body: {
        code: 'oauth_error',
        message: `Failed to connect ${provider} social account: access_denied`,
        details: { error: 'access_denied' },
      },
    })
  })
  it(provider === 'telegram' ? '[S5.15] names a wrong state' : '[S5.11] names a wrong state', async () => {
    const kit = world.kit()
    const attempt = await world.begin(kit, provider)
    const { body } = await world.end(kit, attempt, { state: 'x'.repeat(43) })
    const which = provider === 'telegram' ? 'telegram account' : `${provider} social account`
    expect(body.message).toBe(`Failed to connect ${which}: Invalid random state`)
  })
  it('refuses a wrong state, verifier or nonce, and a social response that is used twice', async () => {
    const refused = async (change: object, params: object) => {
      const kit = world.kit()
      const attempt = await world.begin(kit, provider)
      const back = await world.go(attempt)
      return (await world.end(kit, attempt, { ...back.params, ...params }, change)).body.code
    }
    const other = 'x'.repeat(43)
    const mismatch = provider === 'telegram' ? 'telegram_state_mismatch' : 'oauth_state_mismatch'
    expect(await refused({ state: other }, {})).toBe(mismatch)
    expect(await refused({}, { state: other })).toBe(mismatch)
    expect(await refused({ codeVerifier: other }, {})).toBe('verification_error')
    expect(await refused({ nonce: other }, {})).toBe('verification_error')
    const kit = world.kit()
    const attempt = await world.begin(kit, provider)
    const { params } = await world.go(attempt)
    expect((await world.end(kit, attempt, params)).status).toBe(200)
    expect((await world.end(kit, attempt, params)).body).toMatchObject({
      code: 'session_timeout',
      message: `Connecting ${provider} account session timeout.`,
    })
    // Replay the response in a new flow: a code works once, and only for the flow that requested it.
    const next = await world.begin(kit, provider)
    const replayed = await world.end(kit, next, { ...params, state: next.stateHash })
    expect(['oauth_error', 'verification_error', 'no_auth_code']).toContain(replayed.body.code)
  })
  it('[S5.14] reports a social response without an authorization code', async () => {
    const kit = world.kit()
    const attempt = await world.begin(kit, provider)
    expect((await world.end(kit, attempt, { state: attempt.stateHash })).body).toMatchObject({
      code: 'no_auth_code',
      message: `Failed to connect ${provider} social account: no authorization code`,
    })
  })
  it('reports signin_error when the social provider is down', async () => {
    const kit = world.kit()
    const attempt = await world.begin(kit, provider)
    const { params } = await world.go(attempt)
    world.identity.faults.set(provider, { down: true })
    try {
      const answer = await world.end(kit, attempt, params)
      // Telegram gets no request: the bot's token proves its response.
      if (provider === 'telegram') expect(answer.status).toBe(200)
      else expect(answer).toMatchObject({ status: 503, body: { code: 'signin_error', message: 'Sign-in failed.' } })
    } finally {
      world.identity.faults.clear()
    }
  })
})
