// @vitest-environment happy-dom
/** Tests passkeys through the kit, against the real API, in a page with a software authenticator. */
import { account } from '@keybay/account'
import { type Clock, createKeybay, type Keybay, type LogEntry } from '@keybay/kernel'
import { fakeClock } from '@keybay/kernel/testing'
import { email } from '@keybay/one-time-code'
import { answerLinkQuestions, asked, startWorld, type World } from '@keybay/sandbox-api/testing/page-world'
import { installPasskeys, type PagePasskeys } from '@keybay/sandbox-tools/testing/page-passkeys'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { passkey } from '../src/index.js'

let world: World
let browser: PagePasskeys
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.stop())

let hosts: { dispose(): void }[] = []
beforeEach(() => {
  browser = installPasskeys()
  document.body.innerHTML = '<input autocomplete="username webauthn">'
})
afterEach(() => {
  for (const host of hosts) host.dispose()
  hosts = []
  browser.remove()
  localStorage.clear()
  vi.restoreAllMocks()
})

function plugins() {
  return [account(), email(), passkey()] as const
}

function createHost(clock?: Clock): Keybay<ReturnType<typeof plugins>[number]> {
  const keybay = createKeybay({
    appName: 'Test',
    environmentId: 'local',
    baseApiUrl: world.url,
    logLevel: 'silent',
    plugins: plugins(),
    ...(clock && { clock }),
  })
  hosts.push(keybay)
  return keybay
}
type Host = ReturnType<typeof createHost>
/** Uses a longer timeout for slow machines. */
function soon(check: () => void) {
  return vi.waitFor(check, { timeout: 10_000 })
}
const ANN = { signUp: true, userName: 'ann@example.com' }

/** Opens an app in which a user with a passkey has signed out. */
async function signUp(clock?: Clock) {
  const keybay = createHost(clock)
  const session = await keybay.connect('passkey', ANN)
  await keybay.account.signOut()
  return { keybay, session }
}

async function signInByEmail(keybay: Host, address: string) {
  const signedIn = keybay.connect('email', { email: address })
  const prompt = await asked(keybay, 'one-time-code')
  prompt.answer(await prompt.submit(await world.codeFor(address)))
  return signedIn
}
function listen(keybay: Host): LogEntry[] {
  const entries: LogEntry[] = []
  keybay.on('log', entry => entries.push(entry))
  return entries
}

it('[S1.5] creates a user with a passkey, and signs the same user in again', async () => {
  const keybay = createHost()
  const session = await keybay.connect('passkey', { ...ANN, name: 'Laptop' })
  expect(session).toMatchObject({ status: 'authenticated', userId: expect.any(String) })
  expect(await keybay.passkey.list()).toMatchObject([{ method: 'passkey', name: 'Laptop' }])
  await keybay.account.signOut()
  expect(await keybay.passkey.list()).toEqual([])
  expect(await keybay.connect('passkey')).toEqual(session)
})
it('creates and links a passkey for the signed-in user, under the user’s email', async () => {
  const keybay = createHost()
  const { userId } = await signInByEmail(keybay, 'link@example.com')
  answerLinkQuestions(keybay)
  expect(await keybay.connect('passkey', { name: 'Phone' })).toMatchObject({ userId })
  expect(browser.requests.at(-1)?.publicKey.user).toMatchObject({ name: 'link@example.com' })
  expect(await keybay.passkey.list()).toMatchObject([{ name: 'Phone' }])
  await keybay.account.signOut()
  expect(await keybay.connect('passkey')).toMatchObject({ userId })
})
it('asks a signed-in user before the browser opens its dialog, and cancelling creates no passkey', async () => {
  const keybay = createHost()
  await signInByEmail(keybay, 'asks@example.com')
  const titles = answerLinkQuestions(keybay, 'cancel')
  await expect(keybay.connect('passkey')).rejects.toMatchObject({ code: 'user_rejected' })
  expect(titles).toEqual(['Add this login to the account of asks@example.com?'])
  expect(browser.requests).toEqual([])
  expect(await keybay.passkey.list()).toEqual([])
})
it('[S9.3] requests a passkey with the parameters of the specification', async () => {
  const { keybay } = await signUp()
  const { user, challenge, ...creation } = Object(browser.requests[0]?.publicKey)
  expect(creation).toMatchObject({
    pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
    authenticatorSelection: { userVerification: 'discouraged', residentKey: 'preferred' },
  })
  expect([challenge.byteLength, user.id.byteLength]).toEqual([32, 32])
  await keybay.connect('passkey')
  const request = Object(browser.requests[1]?.publicKey)
  expect(request.userVerification).toBe('discouraged')
  expect(request.challenge.byteLength).toBe(32)
  expect(Buffer.from(request.challenge)).not.toEqual(Buffer.from(challenge))
})
it.each<[string, object]>([
  ['options.pubKeyCredParams', { pubKeyCredParams: [{ type: 'public-key', alg: -257 }] }],
  ['options.challenge', { challenge: 'c2hvcnQ' }],
  ['options.user.id', { user: { id: 'MQ', name: 'x', displayName: 'x' } }],
  [
    'options.authenticatorSelection.userVerification',
    { authenticatorSelection: { userVerification: 'required', residentKey: 'preferred' } },
  ],
  [
    'options.authenticatorSelection.residentKey',
    { authenticatorSelection: { userVerification: 'discouraged', residentKey: 'required' } },
  ],
])('[S9.3] creates no passkey with another %s, whatever the API sends', async (field, changed) => {
  const real = globalThis.fetch
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (...args) => {
    const answer = await real(...args)
    if (!String(args[0]).endsWith('/sign-up/options')) return answer
    const body = await answer.json()
    return Response.json({ ...body, options: { ...body.options, ...changed } }, { status: 201 })
  })
  await expect(createHost().connect('passkey', ANN)).rejects.toMatchObject({
    code: 'record_invalid',
    message: `Invalid record: Passkey.${field}`,
  })
  expect(browser.requests).toEqual([])
})
it('[S5.2] a new passkey needs an email or another name of the user', async () => {
  const keybay = createHost()
  const missing = {
    code: 'webauthn_identifier_missing',
    message: 'A webauthn credential needs an email or a passkey identifier',
  }
  await expect(keybay.connect('passkey', { signUp: true })).rejects.toMatchObject(missing)
  await expect(keybay.connect('passkey', { signUp: true, userName: ' ' })).rejects.toMatchObject(missing)
  await keybay.connect('passkey', { signUp: true, userName: 'Ann' })
  answerLinkQuestions(keybay)
  // The user has just signed in and has neither an email nor a username.
  await expect(keybay.connect('passkey')).rejects.toMatchObject(missing)
  expect(browser.requests).toHaveLength(1)
  browser.remove() // Simulates another device.
  browser = installPasskeys()
  await keybay.connect('passkey', { userName: 'Ann' })
  expect(browser.requests.at(-1)?.publicKey.user).toMatchObject({ name: 'Ann', displayName: 'Ann' })
  expect(await keybay.passkey.list()).toHaveLength(2)
})
it.each(['refuses', 'refuses-in-firefox'] as const)(
  '[S8.8] a passkey dialog that the user %s logs a warning and no error, and the next try works',
  async action => {
    localStorage.setItem('keybay:troubleshoot', '1')
    vi.spyOn(console, 'debug').mockImplementation(() => {})
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const { keybay } = await signUp()
    const entries = listen(keybay)
    browser.user = action
    await expect(keybay.connect('passkey')).rejects.toMatchObject({
      code: 'user_rejected',
      message: 'User cancelled connection',
    })
    await expect(keybay.connect('passkey', ANN)).rejects.toMatchObject({ code: 'user_rejected' })
    expect(entries.filter(({ level }) => level === 'error')).toEqual([])
    expect(entries.filter(({ level }) => level === 'warn')).toMatchObject([
      { message: 'passkey' },
      { message: 'passkey' },
    ])
    expect(warn).toHaveBeenCalledTimes(2)
    browser.user = 'approves'
    expect(await keybay.connect('passkey')).toMatchObject({ status: 'authenticated' })
  },
)
it('creates no second passkey on a device that has a passkey of the user', async () => {
  const keybay = createHost()
  await signInByEmail(keybay, 'twice@example.com')
  answerLinkQuestions(keybay)
  await keybay.connect('passkey')
  await expect(keybay.connect('passkey')).rejects.toMatchObject({ code: 'passkey_exists' })
  expect(await keybay.passkey.list()).toHaveLength(1)
})
it('deletes a passkey from the browser when the API rejects it', async () => {
  const keybay = createHost()
  browser.user = 'is-away'
  const late = keybay.connect('passkey', ANN)
  late.catch(() => {})
  await soon(() => expect(browser.open).toBe(1))
  await world.advance(5 * 60_000 + 1)
  await browser.answer()
  await expect(late).rejects.toMatchObject({ code: 'invalid_passkey', status: 401 })
  expect(browser.forgotten).toEqual([browser.passkeys[0]?.id])
  browser.user = 'approves'
  expect(await keybay.connect('passkey', ANN)).toMatchObject({ status: 'authenticated' })
})
it('creates no passkey with a name that the API would reject', async () => {
  const keybay = createHost()
  await expect(keybay.connect('passkey', { ...ANN, name: 'x'.repeat(65) })).rejects.toMatchObject({
    code: 'record_invalid',
    message: 'Invalid record: PasskeyInput.name',
  })
  expect(browser.requests).toEqual([])
  // The name given to the browser has no such limit.
  const long = `${'ann.'.repeat(20)}ann@example.com`
  await keybay.connect('passkey', { signUp: true, userName: long })
  expect(browser.requests[0]?.publicKey.user).toMatchObject({ name: long })
})
it('closes the passkey dialog when the page cancels the attempt', async () => {
  const { keybay } = await signUp()
  browser.user = 'is-away'
  const leaving = new AbortController()
  const attempt = keybay.connect('passkey', undefined, { signal: leaving.signal })
  attempt.catch(() => {})
  await soon(() => expect(browser.open).toBe(1))
  leaving.abort()
  await expect(attempt).rejects.toMatchObject({ code: 'aborted' })
  await soon(() => expect(browser.open).toBe(0))
})

describe('a browser without WebAuthn', () => {
  it('[S8.3] Webauthn is not supported on this device', async () => {
    browser.remove()
    const keybay = createHost()
    const unsupported = { code: 'webauthn_unsupported', message: 'Webauthn is not supported on this device' }
    expect(keybay.passkey.supported()).toBe(false)
    await expect(keybay.passkey.autofill()).rejects.toMatchObject(unsupported)
    // A list shows the readiness; a call still returns the reason.
    expect(keybay.connectors.list().find(({ id }) => id === 'passkey')?.readiness).toBe('unsupported')
    await expect(keybay.connect('passkey')).rejects.toMatchObject({ code: 'connector_not_ready' })
    const { connect } = keybay.connectors.get('passkey')
    const args = [undefined, { signal: new AbortController().signal }]
    await expect(Reflect.apply(connect, undefined, args)).rejects.toMatchObject(unsupported)
  })
})
it('renames and removes a passkey', async () => {
  const keybay = createHost()
  await signInByEmail(keybay, 'list@example.com')
  answerLinkQuestions(keybay)
  await keybay.connect('passkey')
  const [made] = await keybay.passkey.list()
  const id = made?.id ?? ''
  expect(await keybay.passkey.rename(id, ' Key ')).toMatchObject({ id, name: 'Key' })
  expect(await keybay.passkey.list()).toMatchObject([{ id, name: 'Key' }])
  await keybay.passkey.remove(id)
  expect(await keybay.passkey.list()).toEqual([])
  // The browser is signalled to stop offering the passkey.
  expect(browser.forgotten).toEqual([browser.passkeys[0]?.id])
  await keybay.account.signOut()
  await expect(keybay.connect('passkey')).rejects.toMatchObject({ code: 'invalid_passkey' })
})
it('neither renames nor removes other credentials, and keeps the last credential', async () => {
  const keybay = createHost()
  await signInByEmail(keybay, 'others@example.com')
  const [address] = (await keybay.account.user.refresh())?.credentials ?? []
  const missing = { code: 'passkey_not_found' }
  await expect(keybay.passkey.remove(address?.id ?? '')).rejects.toMatchObject(missing)
  await expect(keybay.passkey.rename(address?.id ?? '', 'x')).rejects.toMatchObject(missing)
  await keybay.account.signOut()
  await keybay.connect('passkey', ANN)
  const [last] = await keybay.passkey.list()
  await expect(keybay.passkey.remove(last?.id ?? '')).rejects.toMatchObject({ code: 'last_credential' })
  expect(browser.forgotten).toEqual([])
})

describe('autofill', () => {
  const waiting = () => soon(() => expect(browser.requests.at(-1)?.mediation).toBe('conditional'))
  const waitUntilClosed = () => soon(() => expect(browser.open).toBe(0))
  it('[S1.5] autofill signs in when the user picks a passkey, and creates no attempt', async () => {
    const { keybay, session } = await signUp()
    const count = keybay.attempts.list().length
    const signedIn = keybay.passkey.autofill()
    await waiting()
    expect(browser.requests.at(-1)?.publicKey.allowCredentials).toEqual([])
    await browser.answer()
    expect(await signedIn).toEqual(session)
    expect(keybay.session.current).toEqual(session)
    expect(keybay.attempts.list()).toHaveLength(count)
  })
  it('autofill prompts for the user’s second factor', async () => {
    const keybay = createHost()
    const address = 'factor@example.com'
    const { userId } = await signInByEmail(keybay, address)
    answerLinkQuestions(keybay)
    await keybay.connect('passkey')
    const enrolment = await keybay.account.mfa.add('email')
    await enrolment.confirm(await world.codeFor(address))
    await keybay.account.signOut()
    const signedIn = keybay.passkey.autofill()
    await waiting()
    await browser.answer()
    const prompt = await asked(keybay, 'mfa')
    expect(prompt).toMatchObject({ action: 'sign-in', connectorId: 'passkey', devices: [{ method: 'email' }] })
    const deviceId = prompt.devices[0]?.id ?? ''
    await prompt.challenge(deviceId)
    prompt.answer(await prompt.submit({ deviceId, code: await world.codeFor(address) }))
    expect(await signedIn).toMatchObject({ status: 'authenticated', userId })
  })
  it('autofill ends when a click begins another ceremony, which succeeds', async () => {
    const { keybay, session } = await signUp()
    const ended = keybay.passkey.autofill()
    await waiting()
    expect(await keybay.connect('passkey')).toEqual(session)
    expect(await ended).toBeUndefined()
  })
  it('autofill that begins behind an open dialog ends, and the dialog stays open', async () => {
    const { keybay, session } = await signUp()
    browser.user = 'is-away'
    const leaving = new AbortController()
    const connected = keybay.connect('passkey', undefined, { signal: leaving.signal })
    await soon(() => expect(browser.open).toBe(1))
    expect(await keybay.passkey.autofill()).toBeUndefined()
    expect(browser.open).toBe(1)
    leaving.abort()
    await expect(connected).rejects.toMatchObject({ code: 'aborted' })
    browser.user = 'approves'
    expect(await keybay.connect('passkey')).toEqual(session)
  })
  it('autofill ends when autofill begins again, as in a page that renders twice', async () => {
    const { keybay, session } = await signUp()
    const first = keybay.passkey.autofill()
    await waiting()
    const before = browser.requests.length
    const second = keybay.passkey.autofill()
    expect(await first).toBeUndefined()
    await soon(() => expect(browser.requests.length).toBe(before + 1))
    await browser.answer()
    expect(await second).toEqual(session)
  })
  it.each([
    ['at once', () => Promise.resolve()],
    ['later', waiting],
  ])('autofill ends with its signal, %s', async (_, moment) => {
    const { keybay } = await signUp()
    const leaving = new AbortController()
    const ended = keybay.passkey.autofill({ signal: leaving.signal })
    await moment()
    leaving.abort()
    expect(await ended).toBeUndefined()
    await waitUntilClosed()
    // The browser is free for the next dialog.
    expect(await keybay.connect('passkey')).toMatchObject({ status: 'authenticated' })
  })
  it('autofill ends with its signal while the browser still checks its support', async () => {
    const { keybay } = await signUp()
    const before = browser.requests.length
    const leaving = new AbortController()
    browser.delaysAutofill = true
    const ended = keybay.passkey.autofill({ signal: leaving.signal })
    const asks = () => soon(() => expect(browser.delayed).toBeGreaterThan(0))
    await asks() // The kit's check.
    browser.reportAutofill()
    await asks() // simplewebauthn's check, just before it calls the browser.
    leaving.abort()
    expect(await ended).toBeUndefined()
    browser.reportAutofill()
    await soon(() => expect(browser.requests.length).toBe(before + 1)) // Too late to stop the dialog.
    await waitUntilClosed()
    browser.delaysAutofill = false
    expect(await keybay.connect('passkey')).toMatchObject({ status: 'authenticated' })
  })
  it('autofill ends when the instance is disposed', async () => {
    const { keybay } = await signUp()
    const ended = keybay.passkey.autofill()
    await waiting()
    keybay.dispose()
    expect(await ended).toBeUndefined()
    await waitUntilClosed()
    expect(await keybay.passkey.autofill()).toBeUndefined()
  })
  it('autofill ends when the user signs in another way, and does not begin for a signed-in user', async () => {
    const keybay = createHost()
    const ended = keybay.passkey.autofill()
    await waiting()
    await signInByEmail(keybay, 'otherwise@example.com')
    expect(await ended).toBeUndefined()
    await waitUntilClosed()
    expect(await keybay.passkey.autofill()).toBeUndefined()
    expect(browser.requests).toHaveLength(1)
  })
  it('autofill requests a new challenge before the old challenge expires', async () => {
    const clock = fakeClock(Date.now())
    const { keybay, session } = await signUp(clock)
    const before = browser.requests.length
    const signedIn = keybay.passkey.autofill()
    await waiting()
    for (let minute = 0; minute < 6; minute++) {
      await world.advance(60_000)
      await clock.advance(60_000)
    }
    await soon(() => {
      expect(browser.requests.length).toBeGreaterThan(before + 1)
      expect(browser.open).toBe(1)
    })
    await browser.answer()
    expect(await signedIn).toEqual(session)
  })
  it('autofill reports no error where the browser does not support it, or when the user declines', async () => {
    const keybay = createHost()
    const entries = listen(keybay)
    browser.hasAutofill = false
    expect(await keybay.passkey.autofill()).toBeUndefined()
    browser.hasAutofill = true
    browser.user = 'refuses'
    expect(await keybay.passkey.autofill()).toBeUndefined()
    expect(entries.filter(({ level }) => level === 'error')).toEqual([])
  })
  it('autofill reports the error of an API that refuses the passkey', async () => {
    const { keybay } = await signUp()
    for (const passkey of browser.passkeys) passkey.counter = 0 // as a copy of the passkey would
    const signedIn = keybay.passkey.autofill()
    await waiting()
    await browser.answer()
    await expect(signedIn).rejects.toMatchObject({ code: 'invalid_passkey' })
    expect(keybay.session.current.status).toBe('anonymous')
  })
})
it('a page has one passkey dialog: a newer click in any instance aborts the older attempt', async () => {
  const first = createHost()
  const { keybay: second, session } = await signUp()
  browser.user = 'is-away'
  const displaced = first.connect('passkey')
  displaced.catch(() => {})
  await soon(() => expect(browser.open).toBe(1))
  browser.user = 'approves'
  expect(await second.connect('passkey')).toEqual(session)
  await expect(displaced).rejects.toMatchObject({ code: 'aborted' })
})
