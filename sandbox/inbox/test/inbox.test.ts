import { request } from 'node:http'
import { temporaryFolder } from '@keybay/sandbox-service/testing/temporary-folder'
import { freePort } from '@keybay/sandbox-tools/free-port'
import { createTransport } from 'nodemailer'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Inbox, type Message, startInbox } from '../src/index.js'
import { COPY_SCRIPT } from '../src/page.js'

let inbox: Inbox
let base: string
beforeEach(async () => {
  inbox = await startInbox()
  base = `http://127.0.0.1:${inbox.port}`
})
afterEach(() => inbox.stop())

async function json(path: string, init?: RequestInit) {
  const response = await fetch(base + path, init)
  return { status: response.status, body: await response.json() }
}

function sms(body: unknown) {
  return json('/sms', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
}

function mail(fields: { to: string; subject?: string; text?: string; html?: string }) {
  const transport = createTransport(inbox.smtpUrl)
  return transport
    .sendMail({ from: 'Sandbox <no-reply@app.localhost>', subject: 'Hello', text: 'Hi', ...fields })
    .finally(() => transport.close())
}
/** fetch does not allow setting Host. */
function statusWith(headers: Record<string, string>, url = base): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    request(`${url}/api/messages`, { headers }, response => resolve(response.resume().statusCode))
      .on('error', reject)
      .end()
  })
}

describe('mail', () => {
  it('mail arrives by SMTP and is read as JSON, newest first, by any spelling of the recipient', async () => {
    await mail({ to: 'Ann <Ann@Example.com>', subject: 'First', text: 'Your code is 123456' })
    await mail({ to: 'ann@example.com', subject: 'Größe', html: '<b>Zwei</b>' })
    await mail({ to: 'bob@example.com' })
    const { body } = await json('/api/messages?to=ANN@example.com')
    expect(body.messages.map(({ subject }: Message) => subject)).toEqual(['Größe', 'First'])
    expect(body.messages[1]).toMatchObject({ kind: 'mail', to: ['ann@example.com'], text: 'Your code is 123456' })
    const latest = await json('/api/messages/latest?to=ann@example.com')
    expect(latest.body).toMatchObject({ subject: 'Größe', html: expect.stringContaining('<b>Zwei</b>') })
    expect((await json(`/api/messages/${latest.body.id}`)).body).toEqual(latest.body)
  })

  it('shows the code of a message in the list, so that no message needs to be opened', async () => {
    await mail({
      to: 'ann@example.com',
      subject: 'Your code for Acme',
      text: '123456 is your code. Order 12345678 is no code.',
    })
    await mail({ to: 'ann@example.com', subject: 'Hello', text: 'In 2026 there is no code.' })
    const list = await (await fetch(base)).text()
    expect(list.match(/<code>.*?<\/code>/g)).toEqual(['<code>123456</code>'])
    expect(list.match(/data-copy="\d*"/g)).toEqual(['data-copy="123456"'])
  })

  it('refuses a mail that is too large, and the inbox continues to receive', async () => {
    await expect(mail({ to: 'ann@example.com', text: 'x'.repeat(2_000_000) })).rejects.toThrow(/too large|size/i)
    await mail({ to: 'ann@example.com' })
    expect((await json('/api/messages')).body.messages).toHaveLength(1)
  })
})

describe('SMS', () => {
  it('an SMS arrives by POST', async () => {
    expect((await sms({ to: '+49 (170) 123-4567', text: 'Code 1', from: 'Keybay' })).status).toBe(202)
    const { body } = await json(`/api/messages/latest?to=${encodeURIComponent('+491701234567')}&kind=sms`)
    expect(body).toMatchObject({ kind: 'sms', to: ['+491701234567'], from: 'Keybay', text: 'Code 1' })
  })

  const sound = '+491701234567'
  it.each(
    [{}, [], null, { to: '+49', text: 'x' }, { to: sound, text: 1 }, { to: 'ann', text: 'x' }].map(body => [body]),
  )('refuses an SMS with the body %j', async body => {
    expect(await sms(body)).toMatchObject({ status: 400, body: { code: 'invalid_request' } })
    expect((await json('/api/messages')).body.messages).toEqual([])
  })
})

describe('waiting', () => {
  it('a waiting request answers as soon as the next message of the recipient arrives', async () => {
    await mail({ to: 'ann@example.com', subject: 'old' })
    const { body: old } = await json('/api/messages/latest?to=ann@example.com')
    const next = json(`/api/messages/latest?to=ann@example.com&after=${old.id}&wait=20000`)
    await mail({ to: 'bob@example.com', subject: 'not this' })
    await mail({ to: 'ann@example.com', subject: 'new' })
    expect((await next).body.subject).toBe('new')
  })

  it('a waiting request for a subject is not answered by an earlier mail with another one', async () => {
    await mail({ to: 'ann@example.com', subject: 'Your code for Acme' })
    const notice = json(`/api/messages/latest?to=ann@example.com&subject=New+sign-in&wait=20000`)
    await mail({ to: 'ann@example.com', subject: 'Your code for Acme' })
    await mail({ to: 'ann@example.com', subject: 'New sign-in' })
    expect((await notice).body.subject).toBe('New sign-in')
  })

  it('a waiting request without a message ends after the requested time', async () => {
    expect(await json('/api/messages/latest?to=ann@example.com&wait=10')).toMatchObject({ status: 404 })
    expect(await json('/api/messages/latest?to=ann@example.com')).toMatchObject({ status: 404 })
  })
})

it('deletes a single message, the messages of a recipient, or all messages', async () => {
  for (const to of ['+491700000001', '+491700000001', '+491700000002', '+491700000003']) await sms({ to, text: 'x' })
  const { body } = await json('/api/messages')
  const remove = (path: string) => json(path, { method: 'DELETE' })
  expect((await remove(`/api/messages/${body.messages[0].id}`)).status).toBe(200)
  expect((await remove(`/api/messages/${body.messages[0].id}`)).status).toBe(404)
  expect((await remove('/api/messages?to=%2B491700000001')).body).toEqual({ deleted: 2 })
  expect((await remove('/api/messages')).body).toEqual({ deleted: 1 })
})

describe('the page', () => {
  const hostile = `<img src=x onerror=alert(1)>"'&`
  it('the inbox page shows hostile mail and SMS as text only, and allows no script but its own', async () => {
    const [text, html] = [`</pre>${hostile}`, `<script>1</script>${hostile}`]
    await mail({ to: 'ann@example.com', subject: hostile, text, html })
    await sms({ to: '+491701234567', text: hostile, from: hostile })
    const { body } = await json('/api/messages/latest?kind=mail')
    for (const path of ['/', `/messages/${body.id}`, `/?to=${encodeURIComponent(hostile)}`]) {
      const response = await fetch(base + path)
      const html = (await response.text()).replace(COPY_SCRIPT, '')
      expect(html).not.toMatch(/<img|<script|<\/pre><img/)
      expect(html).toContain(path.includes('to=') ? '&lt;img src=x onerror=alert(1)&gt;&quot;&#39;&amp;' : '&lt;img')
      expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none'/)
    }
    expect(await (await fetch(`${base}/messages/${body.id}`)).text()).toMatch(/<iframe sandbox title=/)
    const raw = await fetch(`${base}/messages/${body.id}/html`)
    expect(await raw.text()).toContain('<script>')
    expect(raw.headers.get('content-security-policy')).toMatch(/^sandbox; default-src 'none'/)
    expect((await fetch(`${base}/messages/none`)).status).toBe(404)
  })

  it('the buttons of the inbox page delete messages', async () => {
    await sms({ to: '+491701234567', text: 'x' })
    await sms({ to: '+491701234567', text: 'y' })
    const { body } = await json('/api/messages/latest')
    const post = (path: string) => fetch(base + path, { method: 'POST', headers: { origin: base } })
    expect((await post(`/messages/${body.id}/delete`)).url).toBe(`${base}/`)
    expect((await json('/api/messages')).body.messages).toHaveLength(1)
    await post('/clear')
    expect((await json('/api/messages')).body.messages).toEqual([])
  })
})

it('the inbox refuses foreign origins and foreign host names, because its messages hold codes', async () => {
  expect(await statusWith({ host: 'localhost' })).toBe(200)
  expect(await statusWith({ host: 'evil.example' })).toBe(403)
  for (const origin of ['https://evil.example', 'null', 'http://app.localhost:4000'])
    expect(await statusWith({ origin })).toBe(403)
})

it('the inbox dates messages by a clock that /admin/clock moves, unless the inbox answers other machines', async () => {
  const clock = (method: string, body?: unknown) =>
    json('/admin/clock', { method, ...(body !== undefined && { body: JSON.stringify(body) }) })
  const HOUR = 3_600_000
  const { now } = (await clock('GET')).body
  expect((await clock('POST', { advance: HOUR })).body.now).toBeGreaterThanOrEqual(now + HOUR)
  await sms({ to: '+491701234567', text: 'later' })
  const { body } = await json('/api/messages/latest')
  expect(Date.parse(body.receivedAt)).toBeGreaterThanOrEqual(now + HOUR)
  expect(await clock('POST', { advance: 'far' })).toEqual({
    status: 400,
    body: { code: 'invalid_request', message: 'Expected { "advance": ms }.' },
  })
  expect((await clock('DELETE')).body.now).toBeLessThan(now + HOUR)
  const open = await startInbox({ host: '0.0.0.0' })
  const { status } = await fetch(`http://127.0.0.1:${open.port}/admin/clock`)
  await open.stop()
  expect(status).toBe(404)
})

it('the inbox refuses requests for a public name, because a reader of its mail can sign in as any user', async () => {
  const open = await startInbox({ host: '0.0.0.0' })
  const statusBy = (host: string, more: Record<string, string> = {}) =>
    statusWith({ host, ...more }, `http://127.0.0.1:${open.port}`)
  try {
    expect(await statusBy('mail.acme.example')).toBe(403)
    expect(await statusBy('127.0.0.1', { 'x-forwarded-host': 'mail.acme.example' })).toBe(403)
    expect(await statusBy('203.0.113.7:4600')).toBe(403)
    expect(await statusBy('192.168.1.9:4600')).toBe(200)
  } finally {
    await open.stop()
  }
})

it('the inbox keeps its messages in its data folder over a restart', async () => {
  const dataDir = temporaryFolder()
  const first = await startInbox({ dataDir })
  await fetch(`http://127.0.0.1:${first.port}/sms`, {
    method: 'POST',
    body: JSON.stringify({ to: '+491701234567', text: 'kept' }),
  })
  await first.stop()
  const second = await startInbox({ dataDir })
  const { messages } = await (await fetch(`http://127.0.0.1:${second.port}/api/messages`)).json()
  await second.stop()
  expect(messages).toMatchObject([{ text: 'kept' }])
})

it('names the inbox and the variable when a port is taken, and releases the other port', async () => {
  await expect(startInbox({ port: inbox.port })).rejects.toThrow(/^inbox cannot start: port \d+ .* INBOX_PORT/)
  const port = await freePort()
  await expect(startInbox({ port, smtpPort: inbox.smtpPort })).rejects.toThrow(/INBOX_SMTP_PORT/)
  const again = await startInbox({ port })
  expect(again.port).toBe(port)
  await again.stop()
})
