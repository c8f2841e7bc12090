/** Tests the service as a program. */
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startInbox } from '@keybay/sandbox-inbox'
import { MovableClock } from '@keybay/sandbox-service'
import { type Program, startProgram } from '@keybay/sandbox-service/testing/program'
import { temporaryFolder } from '@keybay/sandbox-service/testing/temporary-folder'
import { beforeEach, expect, it } from 'vitest'
import { createKit } from './client.js'

const main = fileURLToPath(new URL('../dist/main.js', import.meta.url))
let dataDir: string
beforeEach(() => {
  dataDir = temporaryFolder()
})

function start(env: Record<string, string> = {}): Program {
  return startProgram(main, { KEYBAY_DATA_DIR: dataDir, API_PORT: '0', ...env }, ['--sandbox'])
}

async function ready(child: ChildProcess): Promise<string> {
  const [message] = await once(child, 'message')
  expect(message).toMatchObject({
    type: 'ready',
    name: 'api',
    url: expect.stringMatching(/^http:\/\/api\.app\.localhost:\d+\/api\/v0$/),
  })
  return message.url.replace('api.app.localhost', '127.0.0.1')
}

it('the API program reports ready, keeps its keys private and over a restart, and exits with code 0', async () => {
  const first = start()
  const url = await ready(first.child)
  const jwks = async (base: string) => (await fetch(`${base}/sdk/local/.well-known/jwks.json`)).text()
  const keys = await jwks(url)
  first.child.kill('SIGTERM')
  const ended = await first.ended()
  expect(ended).toMatchObject({ code: 0, output: expect.stringContaining('api ready http://api.app.localhost:') })
  const file = join(dataDir, 'api', 'keys.json')
  expect(statSync(file).mode & 0o077).toBe(0)
  const second = start()
  expect(await jwks(await ready(second.child))).toBe(keys)
  const { secret, operatorToken, signing } = JSON.parse(readFileSync(file, 'utf8'))
  second.child.kill('SIGINT')
  const { code, output } = await second.ended()
  expect(code).toBe(0)
  for (const key of [secret, operatorToken, signing[0].d]) expect(output).not.toContain(key)
})

it('the API program names itself and the variable when its port is taken', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = Object(server.address())
  const { code, output } = await start({ API_PORT: String(port) }).ended()
  server.close()
  expect(code).toBe(1)
  expect(output).toContain(`api cannot start: port ${port} is taken by another program. Set API_PORT`)
})

it('after SIGTERM the API still sends a code by a mail server that takes 6 s, and then exits with code 0', async () => {
  const inbox = await startInbox()
  const slow = createServer(socket => {
    const pass = () => socket.pipe(connect(inbox.smtpPort, '127.0.0.1')).pipe(socket)
    const timer = setTimeout(pass, 6_000)
    socket.on('close', () => clearTimeout(timer)).on('error', () => undefined)
  }).listen(0, '127.0.0.1')
  await once(slow, 'listening')
  const program = start({ SMTP_URL: `smtp://127.0.0.1:${Object(slow.address()).port}` })
  const port = Number(new URL(await ready(program.child)).port)
  const noMail = { codeTo: () => Promise.reject(new Error('no mail')) }
  const connected = once(slow, 'connection')
  const sending = createKit(noMail, { port, clock: new MovableClock() }).call('/auth/email', {
    body: { email: 'ann@example.com' },
  })
  await connected
  program.child.kill('SIGTERM')
  expect((await sending).status).toBe(202)
  expect(await program.ended()).toMatchObject({ code: 0 })
  expect((await fetch(`${inbox.url}/api/messages/latest?to=ann@example.com`)).status).toBe(200)
  slow.close()
  await inbox.stop()
}, 60_000)

it.each([
  [{ API_PORT: 'x' }, 'API_PORT must be a whole number'],
  [{ API_KEYS: '{"signing":[]}' }, 'API_KEYS does not hold'],
  [{ API_ENVIRONMENTS_FILE: '/nowhere.json' }, 'API_ENVIRONMENTS_FILE'],
])('the API program says what is wrong with %o', async (env, message) => {
  const { code, output } = await start(env).ended()
  expect(code).toBe(1)
  expect(output).toContain(message)
  expect(output).not.toMatch(/\n\s+at /)
})

it('the API program reads environments from a file, and names an invalid field', async () => {
  const file = join(dataDir, 'environments.json')
  writeFileSync(file, JSON.stringify({ acme: { name: 'Acme', allowedOrigins: ['https://acme.example'] } }))
  const good = start({ API_ENVIRONMENTS_FILE: file })
  const url = await ready(good.child)
  expect(await (await fetch(`${url}/sdk/acme/settings`)).json()).toMatchObject({
    name: 'Acme',
    passkey: { rpId: 'acme.example' },
  })
  expect((await fetch(`${url}/sdk/local/settings`)).status).toBe(404)
  good.child.kill('SIGTERM')
  await good.ended()
  writeFileSync(file, JSON.stringify({ acme: { allowedOrigins: ['acme.example'] } }))
  const { code, output } = await start({ API_ENVIRONMENTS_FILE: file }).ended()
  expect(code).toBe(1)
  expect(output).toContain('environment "acme": allowedOrigins.0')
  expect(existsSync(join(dataDir, 'api', 'db'))).toBe(true)
})
