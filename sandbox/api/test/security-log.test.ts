/** Tests the user's security log and the notices by mail. */
import { connect, createServer, type Socket } from 'node:net'
import { type Inbox, startInbox } from '@keybay/sandbox-inbox'
import { temporaryFolder } from '@keybay/sandbox-service/testing/temporary-folder'
import { newAuthenticator } from '@keybay/sandbox-tools/testing/software-authenticator'
import { sql } from 'drizzle-orm'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { openDatabase } from '../src/db/open.js'
import { securityEvents, users } from '../src/db/schema.js'
import { createKit, type Kit, readCode, refused, settings, startWorld, type World } from './client.js'

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const HOME = { 'user-agent': FIREFOX, 'x-forwarded-for': '203.0.113.7' }
const AWAY = { 'user-agent': FIREFOX, 'x-forwarded-for': '198.51.100.9' }
const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

const world = await startWorld({ environments: { local: { ...settings, name: 'Acme' } }, trustedProxies: 1 })
afterAll(world.stop)
afterEach(() => world.api.clock.reset())

/** Signs in by mail from a device and network. */
async function signInFrom(headers: Record<string, string>, email: string, from: World = world): Promise<Kit> {
  const kit = from.kit()
  const body = await kit.sendCode('/auth', email)
  kit.keep(await kit.call('/auth/email/verify', { body, headers }))
  return kit
}
async function getLog(kit: Kit) {
  return (await kit.call('/users/me/security-log')).body
}
async function getKinds(kit: Kit): Promise<string[]> {
  return (await getLog(kit)).events.map(({ kind }: { kind: string }) => kind)
}
/** Returns the notices that an inbox has. */
function readNotices(to: string, { port }: Inbox) {
  return fetch(`http://127.0.0.1:${port}/api/messages?to=${encodeURIComponent(to)}`)
    .then(response => response.json())
    .then(({ messages }: { messages: { subject: string; text: string }[] }) =>
      messages.filter(({ subject }) => subject.includes(' – ')),
    )
}

/** Returns the notices of all requests until now. A request waits only a second for its own; a sweep waits for all. */
async function getNotices(to: string, { api, inbox }: World = world) {
  await api.sweep()
  return readNotices(to, inbox)
}

/** Starts a line to a mail server that can refuse connections, or take them and say nothing. */
async function startLine(to: number) {
  let mode: 'open' | 'refuse' | 'hang' = 'open'
  const sockets = new Set<Socket>()
  const end = () => {
    for (const socket of sockets) socket.destroy()
    sockets.clear()
  }
  const server = createServer(socket => {
    sockets.add(socket.on('error', () => undefined))
    if (mode === 'refuse') socket.destroy()
    if (mode !== 'open') return
    const server = connect(to, '127.0.0.1')
    sockets.add(server.on('error', () => undefined))
    socket.pipe(server).pipe(socket)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (typeof address !== 'object' || !address) throw new Error('The line has no port')
  return {
    port: address.port,
    set(next: typeof mode) {
      mode = next
      end()
    },
    async stop() {
      end()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

describe('security log', () => {
  it('a sign-in from another network is in the log and in a mail, and one from a known place is not', async () => {
    const email = 'log-device@example.com'
    await signInFrom(HOME, email)
    expect(await getNotices(email)).toEqual([])
    await signInFrom(HOME, email)
    expect(await getNotices(email)).toEqual([])
    const kit = await signInFrom(AWAY, email)
    const { events, next } = await getLog(kit)
    expect(events).toMatchObject([
      { kind: 'new-device', device: 'Firefox on Linux', network: '198.51.100.0/24', detail: 'email' },
      { kind: 'new-device', device: 'Firefox on Linux', network: '203.0.113.0/24', detail: 'email' },
    ])
    expect(next).toBeNull()
    const [notice, ...others] = await getNotices(email)
    expect(others).toEqual([])
    expect(notice).toMatchObject({ subject: 'New sign-in – Acme' })
    expect(notice?.text).toMatch(/Device: Firefox on Linux\nNetwork: 198\.51\.100\.0\/24/)
  })

  it('a stranger’s text in the User-Agent header reaches neither the log nor the mail', async () => {
    const email = 'log-text@example.com'
    await signInFrom(HOME, email)
    const kit = await signInFrom({ ...AWAY, 'user-agent': 'Call +1 555 0100 Chrome/1 https://evil.example' }, email)
    const [notice] = await getNotices(email)
    expect(notice?.text).toContain('Device: Chrome\n')
    expect(JSON.stringify([await getLog(kit), notice])).not.toMatch(/555 0100|evil/)
  })

  it('records credentials that are added and removed, and tells the mailbox that was removed', async () => {
    const [first, second] = ['log-one@example.com', 'log-two@example.com']
    const kit = await world.signedIn(first)
    const { credential } = (await kit.link(second)).body
    expect(await getNotices(first)).toMatchObject([{ subject: 'New way to sign in – Acme' }])
    expect(await getNotices(second)).toEqual([])
    expect((await kit.call(`/users/me/credentials/${credential.id}`, { method: 'DELETE' })).status).toBe(204)
    expect(await getKinds(kit)).toEqual(['credential-removed', 'credential-added', 'new-device'])
    for (const to of [first, second])
      expect((await getNotices(to))[0]).toMatchObject({ subject: 'Way to sign in removed – Acme' })
  })

  it('records factors, and no mail contains a secret of theirs', async () => {
    const email = 'log-factor@example.com'
    const kit = await world.signedIn(email)
    const { deviceId, secret, recoveryCodes } = await kit.enrolTotp()
    const renewal = { code: world.nextTotp(secret) }
    const renewed = await kit.callWithMfa('/mfa/recovery-codes', { method: 'POST' }, renewal, deviceId)
    expect(renewed.status).toBe(201)
    const removal = { code: world.nextTotp(secret) }
    await kit.callWithMfa(`/mfa/devices/${deviceId}`, { method: 'DELETE' }, removal, deviceId)
    expect(await getKinds(kit)).toEqual(['factor-removed', 'recovery-codes-renewed', 'factor-added', 'new-device'])
    const notices = await getNotices(email)
    expect(notices.map(({ subject }) => subject)).toEqual([
      'Second factor removed – Acme',
      'New recovery codes – Acme',
      'Second factor added – Acme',
    ])
    for (const hidden of [secret, kit.token, ...recoveryCodes, ...renewed.body.recoveryCodes])
      expect(JSON.stringify([notices, await getLog(kit), world.logs])).not.toContain(hidden)
  })

  it('a merge is told to both mailboxes, and the log of the other account moves along', async () => {
    const [kept, gone] = ['log-kept@example.com', 'log-gone@example.com']
    await signInFrom(AWAY, gone)
    const kit = await signInFrom(HOME, kept)
    const { mergeId } = (await kit.link(gone)).body.details
    expect((await kit.call('/users/me/merge', { body: { mergeId } })).status).toBe(200)
    expect((await getKinds(kit)).sort()).toEqual(['accounts-merged', 'new-device', 'new-device'])
    for (const to of [kept, gone]) expect(await getNotices(to)).toMatchObject([{ subject: 'Accounts merged – Acme' }])
  })

  it('a deletion is told once, and keeping the account is in the log', async () => {
    const email = 'log-deletion@example.com'
    const kit = await world.signedIn(email)
    await kit.call('/users/me', { method: 'DELETE' })
    await kit.signInByEmail(email)
    await kit.call('/users/me', { method: 'DELETE' })
    await kit.signInByEmail(email)
    await kit.call('/users/me/restore', { method: 'POST' })
    expect(await getKinds(kit)).toEqual(['deletion-cancelled', 'deletion-scheduled', 'new-device'])
    expect(await getNotices(email)).toMatchObject([{ subject: 'Account will be deleted – Acme' }])
  })

  it('ending all other sessions is in the log, and ending none is not', async () => {
    const kit = await world.signedIn('log-sessions@example.com')
    await kit.call('/sessions', { method: 'DELETE' })
    await world.signedIn('log-sessions@example.com')
    expect((await kit.call('/sessions', { method: 'DELETE' })).body).toEqual({ ended: 1 })
    expect(await getKinds(kit)).toEqual(['sessions-ended', 'new-device'])
  })

  it('a refresh token that is used again is in the log of its user', async () => {
    const kit = await world.signedIn('log-reuse@example.com')
    const body = { refreshToken: kit.refresh }
    kit.keep(await kit.call('/auth/refresh', { body, token: '' }))
    world.api.clock.advance(MINUTE)
    await refused(kit.call('/auth/refresh', { body, token: '' }), 401, 'session_expired')
    const next = await world.signedIn('log-reuse@example.com')
    expect(await getKinds(next)).toEqual(['session-reused', 'new-device'])
  })

  it('returns the log in pages, without another user’s events', async () => {
    const kit = await world.signedIn('log-pages@example.com')
    const other = await world.signedIn('log-other@example.com')
    for (let name = 0; name < 21; name++) await kit.link(`log-page${name}@example.com`)
    const first = await getLog(kit)
    expect(first.events).toHaveLength(20)
    const second = (await kit.call(`/users/me/security-log?before=${first.next}`)).body
    expect(second.events.map(({ kind }: { kind: string }) => kind)).toEqual(['credential-added', 'new-device'])
    expect(second.next).toBeNull()
    expect((await other.call(`/users/me/security-log?before=${first.next}`)).body.events).toEqual([])
    // IDs of reported events need not be UUIDs.
    expect(await kit.call('/users/me/security-log?before=unknown')).toMatchObject({ status: 200, body: { events: [] } })
    await refused(kit.call('/users/me/security-log', { token: '' }), 401, 'unauthorized')
  })

  it('events can be neither changed nor removed while the user exists, and go with the user', async () => {
    const { db, close } = await openDatabase({})
    const user = { id: 'u', environmentId: 'local', metadata: {}, passkeyHandle: '', createdAt: 0, lastSignInAt: 0 }
    await db.insert(users).values(user)
    await db.insert(securityEvents).values({ id: 'e', environmentId: 'local', userId: 'u', kind: 'new-device', at: 0 })
    for (const attack of [
      'update security_events set at = 1',
      'delete from security_events',
      'truncate security_events',
    ])
      await expect(db.execute(sql.raw(attack))).rejects.toMatchObject({
        cause: { message: 'the security log is append-only' },
      })
    await db.delete(users)
    expect(await db.$count(securityEvents)).toBe(0)
    await close()
  })
})

describe('security notices', () => {
  it('a mail server that refuses or hangs neither undoes nor blocks a change, and gets the notice later', async () => {
    const inbox = await startInbox()
    const line = await startLine(inbox.smtpPort)
    const world = await startWorld({ smtpUrl: `smtp://127.0.0.1:${line.port}` })
    for (const fault of ['refuse', 'hang'] as const) {
      const email = `notice-${fault}@example.com`
      const kit = createKit({ codeTo: to => readCode(inbox, to) }, world.api)
      await kit.signInByEmail(email)
      line.set(fault)
      expect((await kit.enrolTotp()).recoveryCodes).toHaveLength(10)
      expect(await getKinds(kit)).toEqual(['factor-added', 'new-device'])
      expect(await readNotices(email, inbox)).toEqual([])
      line.set('open')
      world.api.clock.advance(2 * MINUTE)
      await world.api.sweep()
      await world.api.sweep()
      expect(await readNotices(email, inbox)).toMatchObject([{ subject: 'Second factor added – Acme' }])
      world.api.clock.advance(DAY)
      await world.api.sweep()
      expect(await readNotices(email, inbox)).toHaveLength(1)
    }
    await world.stop()
    await line.stop()
    await inbox.stop()
  })

  it('a flood of one kind sends six mails a day, the last says so, and hides no notice of another kind', async () => {
    const email = 'notice-flood@example.com'
    const world = await startWorld({ environments: { local: { ...settings, name: 'Acme' } }, limitFactor: 1 })
    const kit = await world.signedIn(email)
    const authenticator = newAuthenticator()
    for (let count = 0; count < 12; count++) {
      const { body } = await kit.addPasskey(authenticator)
      const path = `/users/me/credentials/${body.credential.id}`
      expect((await kit.call(path, { method: 'DELETE' })).status).toBe(204)
    }
    await kit.enrolTotp()
    const notices = await getNotices(email, world)
    const count = (kind: string) => notices.filter(({ subject }) => subject === `${kind} – Acme`).length
    expect(count('New way to sign in')).toBe(6)
    expect(count('Way to sign in removed')).toBe(6)
    expect(count('Second factor added')).toBe(1)
    expect(notices.filter(({ text }) => text.includes('only in the security log'))).toHaveLength(2)
    const first = await getLog(kit)
    const second = (await kit.call(`/users/me/security-log?before=${first.next}`)).body
    const added = [...first.events, ...second.events].filter(({ kind }) => kind === 'credential-added')
    expect(added).toHaveLength(12)
    world.api.clock.advance(DAY)
    await world.api.sweep()
    expect(await getNotices(email, world)).toHaveLength(notices.length)
    await world.stop()
  })

  it('a notice that waits at a kill is sent by the next process', async () => {
    const dataDir = temporaryFolder()
    const inbox = await startInbox()
    const line = await startLine(inbox.smtpPort)
    const options = { smtpUrl: `smtp://127.0.0.1:${line.port}`, dataDir }
    const first = await startWorld(options)
    const kit = createKit({ codeTo: to => readCode(inbox, to) }, first.api)
    await kit.signInByEmail('notice-kill@example.com')
    line.set('refuse')
    await kit.enrolTotp()
    await first.stop()
    line.set('open')
    const second = await startWorld(options)
    second.api.clock.advance(2 * MINUTE)
    await second.api.sweep()
    expect(await readNotices('notice-kill@example.com', inbox)).toHaveLength(1)
    await second.stop()
    await line.stop()
    await inbox.stop()
  })
})
