/** Tests sign-in by email and SMS. */
import { createServer } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startWorld, type World } from './client.js'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.stop())

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
    const kit = world.kit()
    const { body } = await kit.call('/auth/email', { body: { email: 'once@example.com' } })
    const code = world.getCode(await world.mailTo('once@example.com'))
    const verify = () => kit.call('/auth/email/verify', { body: { verificationId: body.verificationId, code } })
    const answers = await Promise.all([verify(), verify()])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401])
    expect(await verify()).toMatchObject({ status: 401, body: { code: 'wrong_email_verification_token' } })
  })

  it('an emailed code allows five tries and then fails, with the messages of the specification', async () => {
    const kit = world.kit()
    const { body } = await kit.call('/auth/email', { body: { email: 'tries@example.com' } })
    const code = world.getCode(await world.mailTo('tries@example.com'))
    const wrong = code === '000000' ? '000001' : '000000'
    const verify = (typed: string) =>
      kit.call('/auth/email/verify', { body: { verificationId: body.verificationId, code: typed } })
    for (let tried = 0; tried < 5; tried++)
      expect(await verify(wrong)).toMatchObject({
        status: 401,
        body: { code: 'wrong_email_verification_token', message: 'The code is invalid or expired.' },
      })
    expect(await verify(code)).toMatchObject({ status: 429, body: { code: 'too_many_email_verification_attempts' } })
  })

  it('an emailed code expires after ten minutes', async () => {
    const kit = world.kit()
    const { body } = await kit.call('/auth/email', { body: { email: 'late@example.com' } })
    const code = world.getCode(await world.mailTo('late@example.com'))
    world.api.clock.advance(10 * 60_000 + 1)
    const late = await kit.call('/auth/email/verify', { body: { verificationId: body.verificationId, code } })
    expect(late).toMatchObject({ status: 401, body: { code: 'wrong_email_verification_token' } })
  })

  it('refuses an emailed code with another session key', async () => {
    const { body } = await world.kit().call('/auth/email', { body: { email: 'other@example.com' } })
    const code = world.getCode(await world.mailTo('other@example.com'))
    const stolen = await world.kit().call('/auth/email/verify', { body: { verificationId: body.verificationId, code } })
    expect(stolen).toMatchObject({ status: 401, body: { code: 'wrong_email_verification_token' } })
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
    [`${'a'.repeat(65)}@example.com`, 'invalid_email'],
  ])('sends no code to the email address %j: %s', async (email, code) => {
    expect(await world.kit().call('/auth/email', { body: { email } })).toMatchObject({ status: 400, body: { code } })
  })
})

describe('a code by SMS', () => {
  it('a code by SMS signs in', async () => {
    const kit = world.kit()
    const { body } = await kit.call('/auth/phone', { body: { phoneNumber: '+49 (170) 123-4567' } })
    const code = world.getCode(await world.smsTo('+491701234567'))
    const answer = await kit.call('/auth/phone/verify', { body: { verificationId: body.verificationId, code } })
    expect(answer.body).toMatchObject({ status: 'authenticated', user: { phoneNumber: '+491701234567' } })
    expect(await kit.call('/auth/phone/verify', { body: { verificationId: body.verificationId, code } })).toMatchObject(
      { status: 401, body: { code: 'wrong_sms_verification_token' } },
    )
  })

  it('a code by SMS allows five tries', async () => {
    const kit = world.kit()
    const { body } = await kit.call('/auth/phone', { body: { phoneNumber: '+491701234568' } })
    const verify = () => kit.call('/auth/phone/verify', { body: { verificationId: body.verificationId, code: 'x' } })
    for (let tried = 0; tried < 5; tried++) expect((await verify()).status).toBe(401)
    expect(await verify()).toMatchObject({ status: 429, body: { code: 'too_many_sms_verification_attempts' } })
  })

  it.each([[undefined], [''], ['0170 1234567'], ['+0123456789'], ['+49'], ['call me']])(
    'sends no code to the phone number %j: invalid_phone',
    async phoneNumber => {
      const answer = await world.kit().call('/auth/phone', { body: { phoneNumber } })
      expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_phone' } })
    },
  )
})

it('hides codes, tokens and addresses from the log', async () => {
  const kit = world.kit()
  await kit.signInByEmail('log@example.com')
  const code = world.getCode(await world.mailTo('log@example.com'))
  const written = JSON.stringify(world.logs)
  for (const secret of [code, kit.token ?? '', kit.refresh ?? '', 'log@example.com'])
    expect(written).not.toContain(secret)
  expect(world.logs.at(-1)).toMatchObject({ message: 'request', route: '/auth/email/verify', status: 200 })
})

it('logs why a mail server refused an email, but not the recipient', async () => {
  const refusing = createServer(socket => {
    socket.write('220 here\r\n')
    socket.on('data', data => {
      const line = data.toString()
      const quoted = /^RCPT TO:(\S+)/i.exec(line)?.[1]
      socket.write(quoted ? `550 5.1.1 ${quoted} is unknown here\r\n` : '250 fine\r\n')
    })
  })
  await new Promise<void>(resolve => refusing.listen(0, '127.0.0.1', resolve))
  const address = refusing.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const refused = await startWorld({ smtpUrl: `smtp://127.0.0.1:${port}` })
  const answer = await refused.kit().call('/auth/email', { body: { email: 'private@example.com' } })
  expect(answer).toMatchObject({ status: 503, body: { code: 'delivery_failed' } })
  expect(refused.logs).toContainEqual({ level: 'error', message: 'delivery failed', error: 'EENVELOPE 550' })
  expect(JSON.stringify([refused.logs, answer.body])).not.toContain('private@example.com')
  await refused.stop()
  refusing.close()
})

it('responds with an error when a code cannot be sent: delivery_failed', async () => {
  const broken = await startWorld({ smtpUrl: 'smtp://127.0.0.1:1', smsUrl: 'http://127.0.0.1:1/sms' })
  const kit = broken.kit()
  for (const [path, body] of [
    ['/auth/email', { email: 'ann@example.com' }],
    ['/auth/phone', { phoneNumber: '+491701234567' }],
  ] as const)
    expect(await kit.call(path, { body })).toMatchObject({ status: 503, body: { code: 'delivery_failed' } })
  await broken.stop()
})
