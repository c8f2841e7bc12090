/** Second factors, against the real API: to sign in, and for one action. */
import { createHash } from 'node:crypto'
import { newAuthenticator } from '@keybay/sandbox-tools/testing/software-authenticator'
import { totpAt } from '@keybay/sandbox-tools/testing/totp'
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  answerLinkQuestions,
  byEmail,
  fresh,
  movableClock,
  openPage,
  openSignedIn,
  type Page,
  question,
  startWorld,
} from './support.js'

const world = await startWorld()
afterAll(world.stop)
beforeEach(fresh)

/** Moves the service's clock on, because each code is valid once. */
function nextTotp(secret: string): string {
  world.api.clock.advance(30_000)
  return totpAt(secret, world.api.clock.now())
}

async function enrolTotp(page: Page) {
  const enrolment = await page.account.mfa.add('totp', { name: 'Phone' })
  const secret = enrolment.totp?.secret ?? ''
  expect(enrolment.totp?.uri).toContain(secret)
  await expect(enrolment.confirm('000000')).rejects.toMatchObject({ code: 'mfa_invalid_code' })
  const { recoveryCodes = [] } = await enrolment.confirm(nextTotp(secret))
  expect(recoveryCodes).toHaveLength(10)
  return { secret, recoveryCodes, deviceId: enrolment.device.id }
}

describe('a second factor at sign-in', () => {
  const twice = async (email: string) => {
    const page = openPage(world)
    const state = await byEmail(world, page, email)
    const enrolled = await enrolTotp(page)
    await page.account.signOut()
    return { page, state, ...enrolled }
  }
  it('prompts for the second factor after the code, while the session is mfa-required', async () => {
    const { page, state, secret, deviceId } = await twice('mfa-1@example.com')
    const signingIn = byEmail(world, page, 'mfa-1@example.com')
    const prompt = await question(page, 'mfa')
    expect(page.session.current).toEqual({ status: 'mfa-required' })
    expect(await page.session.bearer()).toBeUndefined()
    expect(prompt).toMatchObject({ action: 'sign-in', devices: [{ id: deviceId, method: 'totp', name: 'Phone' }] })
    // A wrong code leaves the prompt open.
    await expect(prompt.submit({ deviceId, code: '000000' })).rejects.toMatchObject({
      code: 'mfa_invalid_code',
      message: 'The code is invalid or expired.',
    })
    prompt.answer(await prompt.submit({ deviceId, code: nextTotp(secret) }))
    expect(await signingIn).toEqual(state)
    expect(page.prompts.list()).toEqual([])
  })
  it('stores nothing and notifies no other tab if the page closes before the second factor', async () => {
    const { page } = await twice('mfa-0@example.com')
    const other = openPage(world)
    const seen: string[] = []
    other.on('session:changed', ({ session }) => seen.push(session.status))
    other.connectors.list()
    const signingIn = byEmail(world, page, 'mfa-0@example.com')
    const refused = expect(signingIn).rejects.toMatchObject({ code: 'disposed' })
    await question(page, 'mfa')
    page.dispose()
    await refused
    expect(Object.entries(localStorage).filter(([key]) => key.endsWith(':session'))).toEqual([])
    expect(seen).toEqual([])
  })
  it('refuses to sign in when a second factor prompt is answered without proof', async () => {
    const { page } = await twice('mfa-3@example.com')
    const signingIn = byEmail(world, page, 'mfa-3@example.com')
    const prompt = await question(page, 'mfa')
    prompt.answer({})
    await expect(signingIn).rejects.toMatchObject({ code: 'user_rejected' })
    expect(page.session.current).toEqual({ status: 'anonymous' })
  })
  it('does not sign in a user who signed out before the second factor', async () => {
    const { page, secret, deviceId } = await twice('mfa-12@example.com')
    const signingIn = byEmail(world, page, 'mfa-12@example.com')
    const prompt = await question(page, 'mfa')
    await page.account.signOut()
    prompt.answer(await prompt.submit({ deviceId, code: nextTotp(secret) }))
    await expect(signingIn).rejects.toMatchObject({ code: 'user_rejected' })
    expect(page.session.current).toEqual({ status: 'anonymous' })
  })
  it('pauses the sign-in time-out while the second factor prompt is open', async () => {
    const { page, secret, deviceId } = await twice('mfa-4@example.com')
    page.dispose()
    const clock = movableClock()
    const slow = openPage(world, { clock })
    const signingIn = byEmail(world, slow, 'mfa-4@example.com')
    const prompt = await question(slow, 'mfa')
    clock.move(600_000)
    prompt.answer(await prompt.submit({ deviceId, code: nextTotp(secret) }))
    expect(await signingIn).toMatchObject({ status: 'authenticated' })
  })
})

describe('a passkey as second factor', () => {
  const virtual = newAuthenticator()
  /** Responds for the browser with the software authenticator. */
  const browser = (get: (options: object) => object) => {
    vi.stubGlobal('PublicKeyCredential', class {})
    vi.stubGlobal('navigator', {
      credentials: {
        get: async ({ publicKey }: { publicKey: { challenge: ArrayBuffer } }) => {
          const challenge = Buffer.from(publicKey.challenge).toString('base64url')
          const { id, response } = Object(get({ challenge }))
          return {
            id,
            type: 'public-key',
            rawId: Buffer.from(id, 'base64url'),
            response: Object.fromEntries(
              Object.entries(response).map(([name, value]) => [name, Buffer.from(String(value), 'base64url')]),
            ),
            getClientExtensionResults: () => ({}),
          }
        },
      },
    })
  }
  afterEach(() => {
    vi.unstubAllGlobals()
  })
  it('proves a passkey as second factor; a closed dialog keeps the prompt, and missing WebAuthn is a clear error', async () => {
    const page = await openSignedIn(world, 'mfa-passkey@example.com')
    await expect(page.account.mfa.add('passkey')).rejects.toMatchObject({ code: 'mfa_device_not_found' })
    answerLinkQuestions(page)
    // Link the passkey as a login plugin does.
    const entrance = await page.account.entrance()
    const { challengeId, options } = Object(await entrance.post('passkey/options'))
    await entrance.post('passkey', { challengeId, response: virtual.create(options) })
    const enrolment = await page.account.mfa.add('passkey', { name: 'Laptop' })
    await expect(enrolment.confirm()).rejects.toMatchObject({
      code: 'webauthn_unsupported',
      message: 'Webauthn is not supported on this device',
    })
    browser(options => virtual.get({ ...options }))
    expect((await enrolment.confirm()).recoveryCodes).toHaveLength(10)
    const deviceId = enrolment.device.id
    const updating = page.account.updateUser({ username: 'passkeyed' })
    const prompt = await question(page, 'mfa')
    browser(() => {
      throw new DOMException('The operation was not allowed', 'NotAllowedError')
    })
    await expect(prompt.submit({ deviceId, passkey: true })).rejects.toMatchObject({ code: 'user_rejected' })
    browser(options => newAuthenticator().get({ ...options }))
    await expect(prompt.submit({ deviceId, passkey: true })).rejects.toMatchObject({ code: 'invalid_passkey' })
    browser(options => virtual.get({ ...options }))
    prompt.answer(await prompt.submit({ deviceId, passkey: true }))
    expect(await updating).toMatchObject({ username: 'passkeyed' })
  })
})

describe('a second factor for one action', () => {
  it('[S6.3] changing the user requires a second factor, and the call is repeated with its token', async () => {
    const page = await openSignedIn(world, 'mfa-5@example.com')
    const { secret, deviceId } = await enrolTotp(page)
    const updating = page.account.updateUser({ username: 'mfa-5' })
    const prompt = await question(page, 'mfa')
    expect(prompt.action).toBe('user.update')
    // Measured by this device's clock.
    const left = (await prompt.challenge(deviceId)) - Date.now()
    expect(left).toBeGreaterThan(500_000)
    expect(left).toBeLessThan(670_000)
    prompt.answer(await prompt.submit({ deviceId, code: nextTotp(secret) }))
    expect(await updating).toMatchObject({ username: 'mfa-5' })
    const refused = page.account.updateUser({ username: 'other' })
    const again = await question(page, 'mfa')
    again.cancel()
    await expect(refused).rejects.toMatchObject({ code: 'user_rejected' })
    expect(await page.account.user.refresh()).toMatchObject({ username: 'mfa-5' })
  })
  it('[S6.3] a second factor makes a token that the acting service redeems for that request only', async () => {
    const page = await openSignedIn(world, 'mfa-6@example.com')
    const requestHash = createHash('sha256').update('export this').digest('base64url')
    expect(await page.account.mfa.token('wallet.waas.export', requestHash)).toBeUndefined()
    const { secret, deviceId } = await enrolTotp(page)
    const asking = page.account.mfa.token('wallet.waas.export', requestHash)
    const prompt = await question(page, 'mfa')
    expect(prompt.action).toBe('wallet.waas.export')
    prompt.answer(await prompt.submit({ deviceId, code: nextTotp(secret) }))
    const mfaToken = await asking
    const apiToken = await world.apiToken()
    const redeem = (action: string) =>
      world.call('/mfa/tokens/redeem', { token: apiToken, body: { mfaToken, action, requestHash } })
    expect(await redeem('wallet.waas.sign')).toMatchObject({ status: 403 })
    expect(await redeem('wallet.waas.export')).toMatchObject({
      status: 200,
      body: { userId: page.session.current.userId },
    })
  })
  it('linking by a code requires the second factor, and the code stays valid', async () => {
    const page = await openSignedIn(world, 'mfa-8@example.com')
    const { secret, deviceId } = await enrolTotp(page)
    answerLinkQuestions(page)
    const linking = byEmail(world, page, 'mfa-8b@example.com')
    const prompt = await question(page, 'mfa')
    prompt.answer(await prompt.submit({ deviceId, code: nextTotp(secret) }))
    await linking
    expect(page.account.user.current.user?.credentials).toHaveLength(2)
  })
  it('removing devices and renewing recovery codes requires a second factor', async () => {
    const page = await openSignedIn(world, 'mfa-9@example.com')
    const { recoveryCodes, deviceId } = await enrolTotp(page)
    expect(await page.account.mfa.devices()).toMatchObject([{ id: deviceId }])
    const prove = async <T>(doing: Promise<T>, recoveryCode = '') => {
      const prompt = await question(page, 'mfa')
      prompt.answer(await prompt.submit({ recoveryCode }))
      return doing
    }
    const renewed = await prove(page.account.mfa.recoveryCodes(), recoveryCodes[0])
    expect(renewed).toHaveLength(10)
    expect(renewed).not.toEqual(recoveryCodes)
    await prove(page.account.mfa.remove(deviceId), renewed[0])
    expect(await page.account.mfa.devices()).toEqual([])
    expect(page.account.user.current.user?.mfa).toEqual({ devices: [], recoveryCodes: 0 })
  })
  it('keeps the second factor prompt open for another challenge after five wrong codes', async () => {
    const page = await openSignedIn(world, 'mfa-10@example.com')
    const { secret, deviceId } = await enrolTotp(page)
    const updating = page.account.updateUser({ metadata: {} })
    const prompt = await question(page, 'mfa')
    for (let tried = 0; tried < 5; tried++)
      await expect(prompt.submit({ deviceId, code: '1' })).rejects.toMatchObject({ code: 'mfa_invalid_code' })
    await expect(prompt.submit({ deviceId, code: '1' })).rejects.toMatchObject({
      code: 'too_many_verification_attempts',
    })
    prompt.answer(await prompt.submit({ deviceId, code: nextTotp(secret) }))
    await updating
  })
})
