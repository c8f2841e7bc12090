/** Tests sign-in by email and SMS. */
import { createServer } from 'node:net'
import { afterAll, describe, expect, it } from 'vitest'
import { getStatuses, refused, startWorld } from './client.js'

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
    [`${'a'.repeat(65)}@example.com`, 'invalid_email'],
  ])('sends no code to the email address %j: %s', async (email, code) => {
    await refused(world.kit().call('/auth/email', { body: { email } }), 400, code)
  })
})

describe('a code by SMS', () => {
  it('a code by SMS signs in', async () => {
    const kit = world.kit()
    const { verificationId } = (await kit.call('/auth/phone', { body: { phoneNumber: '+49 (170) 123-4567' } })).body
    const body = { verificationId, code: world.getCode(await world.smsTo('+491701234567')) }
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
