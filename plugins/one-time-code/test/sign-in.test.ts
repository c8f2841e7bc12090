// @vitest-environment happy-dom
/** Codes by mail and SMS, through the kit, against the real API and inbox. */
import { account } from '@keybay/account'
import { createKeybay, type Keybay } from '@keybay/kernel'
import { answerLinkQuestions, asked, startWorld, type World, wrongFor } from '@keybay/sandbox-api/testing/page-world'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { email, phone } from '../src/index.js'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.stop())

let hosts: { dispose(): void }[] = []
afterEach(() => {
  for (const host of hosts) host.dispose()
  hosts = []
  localStorage.clear()
  vi.restoreAllMocks()
})

function plugins() {
  return [account(), email(), phone()] as const
}

function createHost(baseApiUrl = world.url): Keybay<ReturnType<typeof plugins>[number]> {
  const keybay = createKeybay({
    appName: 'Test',
    environmentId: 'local',
    baseApiUrl,
    logLevel: 'silent',
    plugins: plugins(),
  })
  hosts.push(keybay)
  return keybay
}
type Host = ReturnType<typeof createHost>
async function begin(keybay: Host, to: string, id: 'email' | 'phone' = 'email') {
  const signedIn = keybay.connect(id, id === 'email' ? { email: to } : { phoneNumber: to })
  signedIn.catch(() => {})
  const prompt = await Promise.race([asked(keybay, 'one-time-code'), signedIn.then(() => Promise.reject(Error('in')))])
  return { signedIn, prompt, code: await world.codeFor(to) }
}

async function signIn(keybay: Host, to: string, id: 'email' | 'phone' = 'email') {
  const { signedIn, prompt, code } = await begin(keybay, to, id)
  prompt.answer(await prompt.submit(code))
  return signedIn
}
/** Answers the code prompt with the newest code. */
async function answer(keybay: Host, to: string) {
  const prompt = await asked(keybay, 'one-time-code')
  prompt.answer(await prompt.submit(await world.codeFor(to)))
}
const REJECTED = { code: 'wrong_email_verification_token', message: 'The code is invalid or expired.' }

describe('a code by email', () => {
  it('[S1.3] signs in the same user with each code by email', async () => {
    const keybay = createHost()
    const { signedIn, prompt, code } = await begin(keybay, 'ann@example.com')
    expect(prompt).toMatchObject({ method: 'email', sentTo: 'ann@example.com', digits: 6, connectorId: 'email' })
    expect(prompt.expiresAt).toBeGreaterThan(Date.now())
    // With the spaces of a pasted code.
    prompt.answer(await prompt.submit(` ${code.slice(0, 3)} ${code.slice(3)}\n`))
    const session = await signedIn
    expect(session).toMatchObject({ status: 'authenticated', userId: expect.any(String) })
    expect(await keybay.account.user.refresh()).toMatchObject({ email: 'ann@example.com', id: session.userId })
    await keybay.account.signOut()
    expect(await signIn(keybay, 'ann@example.com')).toMatchObject({ userId: session.userId })
  })
  it('prompts for a missing email address until it is valid', async () => {
    const keybay = createHost()
    const signedIn = keybay.connect('email')
    const errors: (string | undefined)[] = []
    let before: Awaited<ReturnType<typeof asked<'contact'>>> | undefined
    // The third passes the kit's check, and the API refuses it.
    for (const answer of ['ann', '', 'änn@example.com', ' bob@example.com ']) {
      before = await asked(keybay, 'contact', before)
      expect(before).toMatchObject({ method: 'email', connectorId: 'email' })
      errors.push(before.error?.code)
      before.answer(answer)
    }
    expect(errors).toEqual([undefined, 'invalid_email', 'email_cannot_be_null', 'invalid_email'])
    const prompt = await asked(keybay, 'one-time-code')
    expect(prompt.sentTo).toBe('bob@example.com')
    prompt.answer(await prompt.submit(await world.codeFor('bob@example.com')))
    expect(await signedIn).toMatchObject({ status: 'authenticated' })
  })
  it('[S8.3] rejects a wrong code with “The code is invalid or expired.” and keeps the prompt open', async () => {
    const keybay = createHost()
    const { signedIn, prompt, code } = await begin(keybay, 'wrong@example.com')
    await expect(prompt.submit(wrongFor(code))).rejects.toMatchObject(REJECTED)
    await expect(prompt.submit('no digits')).rejects.toMatchObject(REJECTED)
    expect(keybay.prompts.list()).toHaveLength(1)
    prompt.answer(await prompt.submit(code))
    expect(await signedIn).toMatchObject({ status: 'authenticated' })
  })
  it('refuses an emailed code after five tries, and accepts a new code', async () => {
    const keybay = createHost()
    const { signedIn, prompt, code } = await begin(keybay, 'tries@example.com')
    for (let count = 0; count < 5; count++) await expect(prompt.submit(wrongFor(code))).rejects.toMatchObject(REJECTED)
    await expect(prompt.submit(code)).rejects.toMatchObject({ code: 'too_many_email_verification_attempts' })
    expect(keybay.prompts.list()).toHaveLength(1)
    await prompt.resend()
    prompt.answer(await prompt.submit(await world.codeFor('tries@example.com')))
    expect(await signedIn).toMatchObject({ status: 'authenticated' })
  })
  it('a new code makes the older code invalid, and two clicks request one new code', async () => {
    const keybay = createHost()
    const { signedIn, prompt, code } = await begin(keybay, 'again@example.com')
    await world.advance(1000)
    const [first, second] = await Promise.all([prompt.resend(), prompt.resend()])
    expect(first).toBe(second)
    expect(first).toBeGreaterThan(prompt.expiresAt)
    const next = await world.codeFor('again@example.com')
    expect(await world.messagesTo('again@example.com')).toBe(2)
    if (next !== code) await expect(prompt.submit(code)).rejects.toMatchObject(REJECTED)
    prompt.answer(await prompt.submit(next))
    expect(await signedIn).toMatchObject({ status: 'authenticated' })
  })
  it('signs in once if the user submits the code twice', async () => {
    const keybay = createHost()
    const { signedIn, prompt, code } = await begin(keybay, 'twice@example.com')
    const [first, second] = await Promise.all([prompt.submit(code), prompt.submit(code)])
    expect(second).toBe(first)
    expect(await prompt.submit(code)).toBe(first)
    prompt.answer(first)
    prompt.answer(second)
    expect(await signedIn).toMatchObject({ status: 'authenticated' })
  })
  it('rejects a forged sign-in result, and gives the page no token', async () => {
    const keybay = createHost()
    const forged = await begin(keybay, 'ticket@example.com')
    const ticket = await forged.prompt.submit(forged.code)
    expect(Reflect.ownKeys(ticket)).toEqual([])
    // A script of the page could make this.
    forged.prompt.answer({
      ...ticket,
      ...{ status: 'authenticated', sessionId: 's', accessToken: 'a', refreshToken: 'r' },
    })
    await expect(forged.signedIn).rejects.toMatchObject({ code: 'record_invalid' })
    expect(keybay.session.current.status).toBe('anonymous')
    expect(await signIn(keybay, 'ticket@example.com')).toMatchObject({ status: 'authenticated' })
  })
  it('ends a sign-in by code if the user cancels, and the next attempt works', async () => {
    const keybay = createHost()
    const { signedIn, prompt, code } = await begin(keybay, 'away@example.com')
    prompt.cancel()
    await expect(signedIn).rejects.toMatchObject({ code: 'user_rejected' })
    await expect(prompt.submit(code)).rejects.toMatchObject({ code: 'aborted' })
    expect(keybay.session.current.status).toBe('anonymous')
    expect(await signIn(keybay, 'away@example.com')).toMatchObject({ status: 'authenticated' })
  })
  it('logs neither the code nor the email address', async () => {
    localStorage.setItem('keybay:troubleshoot', '1')
    vi.spyOn(console, 'debug').mockImplementation(() => {})
    const keybay = createHost()
    const entries: unknown[] = []
    keybay.on('log', entry => entries.push(entry))
    const { signedIn, prompt, code } = await begin(keybay, 'log@example.com')
    const wrong = wrongFor(code)
    await expect(prompt.submit(wrong)).rejects.toMatchObject(REJECTED)
    prompt.cancel()
    await expect(signedIn).rejects.toMatchObject({ code: 'user_rejected' })
    const written = JSON.stringify(entries)
    for (const secret of [code, `"${wrong}"`, 'log@example.com']) expect(written).not.toContain(secret)
  })
})
it('[S1.4] signs in with a code by SMS', async () => {
  const keybay = createHost()
  const signedIn = keybay.connect('phone', { phoneNumber: '0049 (170) 123-4567' })
  const prompt = await asked(keybay, 'one-time-code')
  expect(prompt).toMatchObject({ method: 'phoneNumber', sentTo: '+491701234567', digits: 6, connectorId: 'phone' })
  const code = await world.codeFor('+491701234567')
  await expect(prompt.submit(wrongFor(code))).rejects.toMatchObject({
    code: 'wrong_sms_verification_token',
    message: 'The code is invalid or expired.',
  })
  prompt.answer(await prompt.submit(code))
  expect(await signedIn).toMatchObject({ status: 'authenticated' })
  expect(await keybay.account.user.refresh()).toMatchObject({ phoneNumber: '+491701234567' })
})
it('prompts for a missing phone number', async () => {
  const keybay = createHost()
  const signedIn = keybay.connect('phone', {})
  ;(await asked(keybay, 'contact')).answer('+49 170 1234568')
  await answer(keybay, '+491701234568')
  expect(await signedIn).toMatchObject({ status: 'authenticated' })
})
it('links a phone number to a user with an email', async () => {
  const keybay = createHost()
  const { userId } = await signIn(keybay, 'link@example.com')
  answerLinkQuestions(keybay)
  const linked = await signIn(keybay, '+491701234570', 'phone')
  expect(linked).toMatchObject({ status: 'authenticated', userId })
  expect(await keybay.account.user.refresh()).toMatchObject({
    id: userId,
    email: 'link@example.com',
    phoneNumber: '+491701234570',
  })
})
it('refuses to link an address that is linked already', async () => {
  const keybay = createHost()
  await signIn(keybay, 'mine@example.com')
  answerLinkQuestions(keybay)
  const again = keybay.connect('email', { email: 'mine@example.com' })
  again.catch(() => {})
  const prompt = await asked(keybay, 'one-time-code')
  const code = await world.codeFor('mine@example.com')
  await expect(prompt.submit(code)).rejects.toMatchObject({ code: 'account_already_linked' })
  prompt.cancel()
  await expect(again).rejects.toMatchObject({ code: 'user_rejected' })
})
it('prompts whether to merge the two users when an address is of another user', async () => {
  const keybay = createHost()
  await signIn(keybay, 'other@example.com')
  await keybay.account.signOut()
  const { userId } = await signIn(keybay, '+491701234571', 'phone')
  answerLinkQuestions(keybay)
  const linked = keybay.connect('email', { email: 'other@example.com' })
  await answer(keybay, 'other@example.com')
  ;(await asked(keybay, 'merge-accounts')).answer('merge')
  expect(await linked).toMatchObject({ status: 'authenticated', userId })
  expect(await keybay.account.user.refresh()).toMatchObject({
    email: 'other@example.com',
    phoneNumber: '+491701234571',
  })
})

describe('an invalid address', () => {
  const unreachable = 'http://127.0.0.1:1/api/v0'
  it.each([
    ['email', { email: '' }, 'email_cannot_be_null'],
    ['email', { email: null }, 'email_cannot_be_null'],
    ['email', { email: 'ann' }, 'invalid_email'],
    ['email', { email: 'ann@localhost' }, 'invalid_email'],
    ['email', { email: 'a b@example.com' }, 'invalid_email'],
    ['email', { email: 'a@b@example.com' }, 'invalid_email'],
    ['email', { email: `${'a'.repeat(250)}@example.com` }, 'invalid_email'],
    ['phone', { phoneNumber: '' }, 'invalid_phone'],
    ['phone', { phoneNumber: '0170 1234567' }, 'invalid_phone'],
    ['phone', { phoneNumber: '+0123456789' }, 'invalid_phone'],
    ['phone', { phoneNumber: '+49' }, 'invalid_phone'],
    ['phone', { phoneNumber: '+1234567890123456' }, 'invalid_phone'],
    ['phone', { phoneNumber: 4917012345 }, 'invalid_phone'],
  ])('refuses a code for %s %j without a request to the API', async (id, input, code) => {
    await expect(createHost(unreachable).connect(id, input)).rejects.toMatchObject({ code })
  })
  it('reports an unreachable API, and the next sign-in by code works', async () => {
    const lost = createHost(unreachable)
    await expect(lost.connect('email', { email: 'ann@example.com' })).rejects.toMatchObject({ code: 'request_failed' })
    lost.dispose()
    expect(await signIn(createHost(), 'ann@example.com')).toMatchObject({ status: 'authenticated' })
  })
})
