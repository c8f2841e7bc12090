/** Tests what the API refuses to start with, as a program on a real PostgreSQL, and sign-in with published secrets. */
import { createHash, createHmac, generateKeyPairSync, randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sandboxClient } from '@keybay/sandbox-identity/clients'
import { MovableClock } from '@keybay/sandbox-service'
import { freePort } from '@keybay/sandbox-service/free-port'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { newKey } from '../src/custody/keys.js'
import { startApi } from '../src/index.js'
import { withStandIns } from '../src/stand-ins.js'
import { type Answer, createKit, sha256 } from './client.js'
import { findPostgres, type Postgres, startPostgres } from './postgres.js'
import { endProgram, type Program, runProgram, throughPlainProxy } from './program.js'
import { flowBody, newSecrets } from './social-world.js'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const installation = findPostgres()
if ('missing' in installation) console.warn(`The start of a public API is not tested here: ${installation.missing}.`)

function program(name: string) {
  return fileURLToPath(new URL(`../dist/${name}.js`, import.meta.url))
}

function random() {
  return randomBytes(32).toString('base64url')
}

function newKeys() {
  return JSON.stringify({
    signing: [generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' })],
    secret: random(),
    operatorToken: random(),
  })
}
const keys = newKeys()
const ORIGIN = 'https://app.acme.example'
const acme = { kind: 'live', allowedOrigins: [ORIGIN], signIn: { social: ['telegram', 'google'] } }

/** Signs in as any Telegram user, with the bot token published in this repository. */
async function forge(port: number): Promise<Answer> {
  const noMail = { mailTo: () => Promise.reject(new Error('no mail')), getCode: () => '' }
  const kit = createKit(noMail, { port, clock: new MovableClock() })
  const secrets = newSecrets()
  const redirectUrl = `${ORIGIN}/auth/social/telegram`
  const flow = { environmentId: 'acme', body: { ...flowBody('telegram', secrets), redirectUrl } }
  const begun = await kit.call('/social/telegram/flow', flow)
  if (begun.status !== 201) return begun
  const fields = { auth_date: Math.floor(Date.now() / 1000), first_name: 'Mallory', id: 123456789 }
  const text = Object.entries(fields).map(([name, value]) => `${name}=${value}`)
  const key = createHash('sha256').update(sandboxClient('telegram').secret).digest()
  const hash = createHmac('sha256', key).update(text.join('\n')).digest('hex')
  const tgAuthResult = Buffer.from(JSON.stringify({ ...fields, hash })).toString('base64url')
  const params = { tgAuthResult, state: sha256(secrets.state) }
  const body = { flowId: begun.body.flowId, ...secrets, params }
  return kit.call('/social/telegram/exchange', { environmentId: 'acme', body })
}

describe.skipIf('missing' in installation)('the API', () => {
  let database: Postgres
  let databaseUrl: string
  let dataDir: string
  let port: number
  let running: Program[] = []
  let count = 0
  beforeAll(async () => {
    database = await startPostgres('bin' in installation ? installation.bin : '')
  })
  beforeEach(async () => {
    databaseUrl = database.create(`api_${++count}`)
    dataDir = mkdtempSync(join(tmpdir(), 'keybay-api-'))
    port = await freePort()
    writeFileSync(join(dataDir, 'environments.json'), JSON.stringify({ acme }))
  })
  afterEach(async () => {
    for (const apiProcess of running) await endProgram(apiProcess)
    running = []
    rmSync(dataDir, { recursive: true, force: true })
  })
  afterAll(() => database?.stop())

  const good = () => ({
    KEYBAY_DATA_DIR: dataDir,
    API_PORT: String(port),
    API_PUBLIC_URL: 'https://api.acme.example/api/v0',
    DATABASE_URL: databaseUrl,
    API_KEYS: keys,
    API_ENVIRONMENTS_FILE: join(dataDir, 'environments.json'),
    SMTP_URL: 'smtps://mail.acme.example',
    SMS_URL: 'https://sms.acme.example',
  })
  /** Empty variables count as not set. */
  const start = (env: Record<string, string> = {}, name = 'main'): Program => {
    const apiProcess = runProgram(program(name), { ...good(), ...env })
    running.push(apiProcess)
    return apiProcess
  }
  /** A service on this machine, where stand-ins and `/admin` are allowed. */
  const here = { API_PUBLIC_URL: '' }
  const refused = async (env: Record<string, string>, name?: string): Promise<string> => {
    const { code, output } = await start(env, name).ended()
    expect(code).toBe(1)
    expect(output).not.toContain(JSON.parse(keys).secret)
    return output
  }
  it('the API outside the sandbox refuses logins signed with the published secrets of stand-ins', async () => {
    const sandbox = start(here, 'sandbox')
    await sandbox.ready()
    // The attack works where the stand-ins are on.
    expect(await forge(port)).toMatchObject({ status: 200, body: { status: 'authenticated' } })
    await endProgram(sandbox)
    for (const env of [{}, here, { ...here, IDENTITY_URL: 'http://identity.localhost:4500' }]) {
      const apiProcess = start(env)
      await apiProcess.ready()
      expect(await forge(port)).toMatchObject({ body: { code: 'provider_not_enabled' } })
      await endProgram(apiProcess)
    }
  })
  it('the API starts under a public name with its own settings, without /admin/clock behind a plain proxy_pass', async () => {
    for (const [name, env] of [
      ['main', {}],
      ['sandbox', { IDENTITY_URL: 'off' }],
    ] as const) {
      const apiProcess = start(env, name)
      await apiProcess.ready()
      for (const method of ['GET', 'POST', 'DELETE'])
        expect((await throughPlainProxy(port, '/admin/clock', method)).status).toBe(404)
      expect((await fetch(`http://127.0.0.1:${port}/health`)).status).toBe(200)
      await endProgram(apiProcess)
    }
  })
  it('the API serves /admin/clock on this machine to direct requests only, not through a proxy', async () => {
    await start(here).ready()
    expect((await throughPlainProxy(port, '/admin/clock')).status).toBe(200)
    for (const name of ['Via', 'Forwarded', 'X-Real-IP', 'X-Forwarded-Proto', 'X-Forwarded-Anything']) {
      const headers = { [name]: 'x' }
      expect((await fetch(`http://127.0.0.1:${port}/admin/clock`, { headers })).status, name).toBe(403)
    }
  })
  it.each([
    [
      'main',
      'the sandbox’s environment',
      { API_ENVIRONMENTS_FILE: '' },
      /- API_ENVIRONMENTS_FILE is not set.*\n(- .*\n)*- Envir/,
    ],
    ['main', '/admin on', { API_ADMIN: 'on' }, /API_ADMIN is on/],
    ['main', 'keys of its own', { API_KEYS: '' }, /API_KEYS is not set/],
    ['main', 'keys that are none', { API_KEYS: '{}' }, /API_KEYS does not hold the service's keys/],
    ['main', 'an address of stand-ins', { IDENTITY_URL: 'http://127.0.0.1:4500' }, /IDENTITY_URL is not off/],
    ['sandbox', 'stand-ins', {}, /IDENTITY_URL is not off/],
  ])('the API (%s) does not start under a public name with %s, and writes no key', async (name, _, env, problem) => {
    const output = await refused(env, name)
    expect(output).toMatch(problem)
    expect(existsSync(join(dataDir, 'api', 'keys.json'))).toBe(false)
    // The refused start left no trace: the right settings start.
    await start().ready()
  })
  it('the API does not start under a public name with embedded wallets but without pinned keys of R1', async () => {
    const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const withWallets = { ...acme, embeddedWallets: { enabled: true } }
    writeFileSync(join(dataDir, 'environments.json'), JSON.stringify({ acme: withWallets }))
    expect(await refused({})).toMatch(/API_RECORD_KEYS is not set/)
    await start({ API_RECORD_KEYS: JSON.stringify([publicKey.export({ format: 'jwk' })]) }).ready()
  })
  it('the API does not start under a public name with custody but without its own operator key', async () => {
    writeFileSync(join(dataDir, 'environments.json'), JSON.stringify({ acme: { ...acme, custody: { enabled: true } } }))
    expect(await refused({})).toMatch(/CUSTODY_API_PRIVATE_KEY is not set/)
    const { publicKey, privateKey } = newKey()
    const operator = { CUSTODY_ORGANIZATION_ID: 'acme', CUSTODY_API_PUBLIC_KEY: publicKey }
    await start({ ...operator, CUSTODY_API_PRIVATE_KEY: privateKey }).ready()
  })
  it('the API lists all problems of a start in one message', async () => {
    const first = start()
    await first.ready()
    await endProgram(first)
    const output = await refused({ API_ENVIRONMENTS_FILE: '', API_ADMIN: 'on', API_KEYS: newKeys() }, 'sandbox')
    expect(output.match(/^- /gm)).toHaveLength(7)
    for (const part of [
      /- API_ENVIRONMENTS_FILE is not set/,
      /- API_RECORD_KEYS is not set/,
      /- CUSTODY_API_PRIVATE_KEY is not set/,
      /- IDENTITY_URL is not off/,
      /- Environment "local" accepts tokens of http:\/\/app\.localhost:4000/,
      /- API_ADMIN is on/,
      /- API_KEYS: the database was made with other keys/,
    ])
      expect(output).toMatch(part)
  })
  it('the API does not start on a database with another secret, also on this machine, and creates no secret', async () => {
    const first = start(here)
    await first.ready()
    await endProgram(first)
    expect(await refused({ ...here, API_KEYS: newKeys() })).toMatch(/API_KEYS: the database was made with other keys/)
    expect(await refused({ ...here, API_KEYS: '' })).toMatch(/API_KEYS is not set, and the database was made with/)
    expect(existsSync(join(dataDir, 'api', 'keys.json'))).toBe(false)
    // Signing keys may change: the database depends only on the secret.
    const { signing } = JSON.parse(newKeys())
    await start({ ...here, API_KEYS: JSON.stringify({ ...JSON.parse(keys), signing }) }).ready()
  })
})

it('the API does not start under a public name with stand-ins or a local token issuer passed in by a program', async () => {
  const options = {
    publicUrl: 'https://api.acme.example/api/v0',
    smtpUrl: 'smtp://127.0.0.1:9',
    smsUrl: 'http://127.0.0.1:9',
    environments: {
      acme: {
        allowedOrigins: [ORIGIN],
        externalJwt: { issuer: 'http://host.localhost', jwksUrl: 'http://127.0.0.1:9/jwks' },
      },
    },
    social: { identity: { publicUrl: 'http://identity.localhost:4500', internalUrl: 'http://127.0.0.1:4500' } },
  }
  const starting = startApi(withStandIns(options))
  await expect(starting).rejects.toThrow(/IDENTITY_URL is not off/)
  await expect(starting).rejects.toThrow(/accepts tokens of http:\/\/host\.localhost/)
})
