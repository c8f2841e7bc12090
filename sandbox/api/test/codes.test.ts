/** Tests sign-in by email and SMS. */
import { createServer } from 'node:net'
import { afterAll, describe, expect, it } from 'vitest'
import { getStatuses, refused, settings, startWorld } from './client.js'
import { getClaims, newRecordSigner, report } from './wallet-records.js'

const world = await startWorld()
afterAll(world.stop)

const WRONG = [401, 'wrong_email_verification_token'] as const

/** Sends a code. @returns a function that enters it */
async function begin(to: string) {
  const kit = world.kit()
  const sent = await kit.sendCode('/auth', to)
  const path = to.includes('@') ? '/auth/email/verify' : '/auth/phone/verify'
  const verify = (code = sent.code, by = kit) => by.call(path, { body: { ...sent, code } })
  return { code: sent.code, verify }
}

describe('a code by mail', () => {
  it('an emailed code signs in, and signs the same user in again', async () => {
    const first = await world.kit().signInByEmail('ann@example.com')
    expect(first).toMatchObject({
      status: 200,
      body: { status: 'authenticated', isNewUser: true, user: { email: 'ann@example.com', step: 'done' } },
    })
    const again = await world.kit().signInByEmail('Ann@Example.com')
    expect(again.body).toMatchObject({ isNewUser: false, user: { id: first.body.user.id } })
  })
  it('an emailed code works once', async () => {
    const { verify } = await begin('once@example.com')
    expect(getStatuses(await Promise.all([verify(), verify()]))).toEqual([200, 401])
    await refused(verify(), ...WRONG)
  })
  it('an emailed code allows five tries and then fails, with the messages of the specification', async () => {
    const { code, verify } = await begin('tries@example.com')
    const body = { code: WRONG[1], message: 'The code is invalid or expired.' }
    for (let tried = 0; tried < 5; tried++)
      expect(await verify(code === '000000' ? '000001' : '000000')).toMatchObject({ status: 401, body })
    await refused(verify(), 429, 'too_many_email_verification_attempts')
  })
  it('an emailed code expires after ten minutes', async () => {
    const { verify } = await begin('late@example.com')
    world.api.clock.advance(10 * 60_000 + 1)
    await refused(verify(), ...WRONG)
  })
  it('an emailed code works in its own environment and for its own purpose alone', async () => {
    const two = await startWorld({ environments: { local: settings, other: settings } })
    const kit = await two.signedIn('purpose@example.com')
    const verify = (below: string, body: object, environmentId = 'local') =>
      kit.call(`${below}/email/verify`, { body, environmentId })
    const signIn = await kit.sendCode('/auth', 'purpose-sign-in@example.com')
    await refused(verify('/auth', signIn, 'other'), ...WRONG)
    await refused(verify('/users/me/credentials', signIn), ...WRONG)
    const link = await kit.sendCode('/users/me/credentials', 'purpose-link@example.com')
    await refused(verify('/auth', link), ...WRONG)
    for (const [below, body] of [
      ['/auth', signIn],
      ['/users/me/credentials', link],
    ] as const)
      expect((await verify(below, body)).status).toBeLessThan(300)
    await two.stop()
  })
  it('refuses an emailed code with another session key', async () => {
    const { code, verify } = await begin('other@example.com')
    await refused(verify(code, world.kit()), ...WRONG)
  })
  it.each([
    [undefined, 'email_cannot_be_null'],
    [null, 'email_cannot_be_null'],
    ['  ', 'email_cannot_be_null'],
    ['ann', 'invalid_email'],
    ['ann@localhost', 'invalid_email'],
    ['a\r\nBcc: b@example.com', 'invalid_email'],
    ['"a b"@example.com', 'invalid_email'],
    ['änn@example.com', 'invalid_email'],
    // The Kelvin sign, whose lower case is the letter k.
    ['\u212Aate@example.com', 'invalid_email'],
    ['\uff4bate@example.com', 'invalid_email'],
    ['kate@example.com\u200b', 'invalid_email'],
    [`${'a'.repeat(65)}@example.com`, 'invalid_email'],
  ])('sends no code to the email address %j: %s', async (email, code) => {
    await refused(world.kit().call('/auth/email', { body: { email } }), 400, code)
  })
})

describe('a code by SMS', () => {
  it('a code by SMS signs in', async () => {
    const kit = world.kit()
    const { verificationId } = (await kit.call('/auth/phone', { body: { phoneNumber: '+49 (170) 123-4567' } })).body
    const body = { verificationId, code: await world.codeTo('+491701234567') }
    const answer = await kit.call('/auth/phone/verify', { body })
    expect(answer.body).toMatchObject({ status: 'authenticated', user: { phoneNumber: '+491701234567' } })
    await refused(kit.call('/auth/phone/verify', { body }), 401, 'wrong_sms_verification_token')
  })
  it.each([[undefined], [''], ['0170 1234567'], ['+0123456789'], ['+49'], ['call me']])(
    'sends no code to the phone number %j: invalid_phone',
    async phoneNumber => refused(world.kit().call('/auth/phone', { body: { phoneNumber } }), 400, 'invalid_phone'),
  )
})

it('hides codes, tokens and addresses from the log', async () => {
  const kit = await world.signedIn('log@example.com')
  const code = await world.codeTo('log@example.com')
  const written = JSON.stringify(world.logs)
  for (const secret of [code, kit.token ?? '', kit.refresh ?? '', 'log@example.com'])
    expect(written).not.toContain(secret)
  expect(world.logs.at(-1)).toMatchObject({ message: 'request', route: '/auth/email/verify', status: 200 })
})

it('logs why a mail server refused an email, but not the recipient', async () => {
  const refusing = createServer(socket => {
    socket.write('220 here\r\n')
    socket.on('data', data => {
      const quoted = /^RCPT TO:(\S+)/i.exec(data.toString())?.[1]
      socket.write(quoted ? `550 5.1.1 ${quoted} is unknown here\r\n` : '250 fine\r\n')
    })
  })
  await new Promise<void>(resolve => refusing.listen(0, '127.0.0.1', resolve))
  const { port } = Object(refusing.address())
  const refuses = await startWorld({ smtpUrl: `smtp://127.0.0.1:${port}` })
  const answer = await refuses.kit().call('/auth/email', { body: { email: 'private@example.com' } })
  await refused(answer, 503, 'delivery_failed')
  expect(refuses.logs).toContainEqual({ level: 'error', message: 'delivery failed', error: 'EENVELOPE 550' })
  expect(JSON.stringify([refuses.logs, answer.body])).not.toContain('private@example.com')
  await refuses.stop()
  refusing.close()
})

it('responds with an error when a code cannot be sent: delivery_failed', async () => {
  const broken = await startWorld({ smtpUrl: 'smtp://127.0.0.1:1', smsUrl: 'http://127.0.0.1:1/sms' })
  const kit = broken.kit()
  await refused(kit.call('/auth/email', { body: { email: 'ann@example.com' } }), 503, 'delivery_failed')
  await refused(kit.call('/auth/phone', { body: { phoneNumber: '+491701234567' } }), 503, 'delivery_failed')
  await broken.stop()
})

it('a known user signs in by a code with two statements, and a read and a renewal take one each', async () => {
  const statements: string[] = []
  const counted = await startWorld({ onQuery: text => statements.push(text) })
  await counted.signedIn('often@example.com')
  const count = async <T>(act: () => Promise<T>) => {
    statements.length = 0
    const answer = await act()
    return { answer, count: statements.length }
  }
  const kit = counted.kit()
  // To send the code; then to check it and to begin the session.
  const signIn = await count(() => kit.signInByEmail('often@example.com'))
  expect(signIn).toMatchObject({ answer: { body: { isNewUser: false, status: 'authenticated' } }, count: 2 })
  const { refreshToken } = signIn.answer.body
  expect(await count(() => kit.call('/users/me'))).toMatchObject({ answer: { status: 200 }, count: 1 })
  const refresh = () => kit.call('/auth/refresh', { body: { refreshToken }, token: '' })
  expect(await count(refresh)).toMatchObject({ answer: { status: 200 }, count: 1 })
  await counted.stop()
})

it('a sign-in answers with the user as GET /users/me does, after its own changes', async () => {
  const r1 = newRecordSigner()
  const shown = await startWorld({
    environments: { local: { ...settings, mfa: { atSignIn: false }, embeddedWallets: { recordKeys: [r1.jwk] } } },
  })
  const kit = await shown.signedIn('shown@example.com')
  const { id } = (await kit.call('/users/me')).body
  await kit.link('+491701234599')
  await report(shown, r1.sign({ sub: id }))
  const withdrawn = getClaims(r1.sign({ sub: id }))
  for (const status of ['active', 'withdrawn']) await report(shown, r1.sign({ ...withdrawn, status }))
  await kit.call('/users/me', { method: 'PATCH', body: { username: 'shown', metadata: { a: [1, null, 'ü'] } } })
  await kit.enrolTotp()
  shown.api.clock.advance(1_000)
  const { user } = (await kit.signInByEmail('shown@example.com')).body
  expect(user).toEqual((await kit.call('/users/me')).body)
  const { lastSignInAt, createdAt } = user
  expect(lastSignInAt).toBeGreaterThan(createdAt)
  expect(user).toMatchObject({ credentials: [{ lastUsedAt: lastSignInAt }, {}, {}], mfa: { devices: [{}] } })
  await shown.stop()
})

describe('the statements of a code', () => {
  const proof = { jti: 'one-proof-for-a-code' }
  it('is 503 if the database fails before any one of them, which spends no budget, and the next code works', async () => {
    let [count, failing] = [0, -1]
    const failAt = (statement: number) => ([count, failing] = [0, statement])
    const onQuery = () => {
      if (count++ === failing) throw Object.assign(new Error('Away'), { code: 'CONNECTION_CLOSED' })
    }
    const flaky = await startWorld({ limitFactor: 1, onQuery })
    const email = 'flaky@example.com'
    const kit = await flaky.signedIn(email)
    const expectAway = async (statement: number, path: string, body: object) => {
      failAt(statement)
      const { status, headers } = await kit.call(path, { body })
      expect([statement, status, headers.get('retry-after')]).toEqual([statement, 503, '2'])
      failAt(-1)
    }
    for (let time = 0; time < 6; time++) await expectAway(0, '/auth/email', { email })
    const body = await kit.sendCode('/auth', email)
    await expectAway(0, '/auth/email/verify', body)
    // The failed statement used nothing up.
    expect((await kit.call('/auth/email/verify', { body })).status).toBe(200)
    // With the first sign-in, the budget of the address is five codes.
    for (let time = 0; time < 3; time++) expect((await kit.signInByEmail(email)).status).toBe(200)
    await refused(kit.call('/auth/email', { body: { email } }), 429, 'too_many_requests')
    await flaky.stop()
  })
  it('a proof sends one code and checks one code: a second use stores, spends and tries nothing', async () => {
    const strict = await startWorld({ limitFactor: 1 })
    const kit = strict.kit()
    const send = () => kit.call('/auth/email', { body: { email: 'proof@example.com' }, proof })
    expect((await send()).status).toBe(202)
    // The budget of the address holds five codes.
    for (let count = 0; count < 6; count++) await refused(send(), 401, 'invalid_proof', { reason: 'replay' })
    const body = await kit.sendCode('/auth', 'proof@example.com')
    const wrong = { ...body, code: body.code === '000000' ? '000001' : '000000' }
    const check = { jti: 'one-proof-for-a-check' }
    await refused(kit.call('/auth/email/verify', { body: wrong, proof: check }), ...WRONG)
    for (let count = 0; count < 6; count++)
      await refused(kit.call('/auth/email/verify', { body, proof: check }), 401, 'invalid_proof', { reason: 'replay' })
    expect((await kit.call('/auth/email/verify', { body })).status).toBe(200)
    await strict.stop()
  })
  it('a request that a rate limit refuses neither tries the code nor uses it up', async () => {
    const strict = await startWorld({ limitFactor: 0.01 })
    const kit = strict.kit()
    // Three tries of the network in 15 minutes; a code is valid for 10, and for five tries.
    const wrong = { verificationId: crypto.randomUUID(), code: '000000' }
    for (let count = 0; count < 3; count++) await refused(kit.call('/auth/email/verify', { body: wrong }), ...WRONG)
    strict.api.clock.advance(8 * 60_000)
    const body = await kit.sendCode('/auth', 'limited@example.com')
    for (let count = 0; count < 6; count++)
      await refused(kit.call('/auth/email/verify', { body }), 429, 'too_many_requests')
    strict.api.clock.advance(7 * 60_000)
    expect((await kit.call('/auth/email/verify', { body })).status).toBe(200)
    await strict.stop()
  })
})
