/** Tests what the API refuses to start with, as a program on a real PostgreSQL, and sign-in with published secrets. */
import { createHash, createHmac, generateKeyPairSync, randomBytes } from 'node:crypto'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sandboxClient } from '@keybay/sandbox-identity/clients'
import { MovableClock } from '@keybay/sandbox-service'
import { endProgram } from '@keybay/sandbox-service/testing/program'
import { describeStartUp, type Place } from '@keybay/sandbox-service/testing/start-up'
import { expect, it } from 'vitest'
import { newKey } from '../src/custody/keys.js'
import { startApi } from '../src/index.js'
import { withStandIns } from '../src/stand-ins.js'
import { type Answer, createKit, sha256 } from './client.js'
import { flowBody, newSecrets } from './social-world.js'

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

const here = { API_PUBLIC_URL: '' }
const api = {
  title: 'the API',
  dist: new URL('../dist/', import.meta.url),
  programs: [
    ['main', {}],
    ['sandbox', { IDENTITY_URL: 'off' }],
  ] as const,
  here,
  secrets: [JSON.parse(keys).secret],
  prepare: ({ dataDir }: Place) => writeFileSync(join(dataDir, 'environments.json'), JSON.stringify({ acme })),
  good: ({ dataDir, port, databaseUrl }: Place) => ({
    KEYBAY_DATA_DIR: dataDir,
    API_PORT: String(port),
    API_PUBLIC_URL: 'https://api.acme.example/api/v0',
    DATABASE_URL: databaseUrl,
    API_KEYS: keys,
    API_ENVIRONMENTS_FILE: join(dataDir, 'environments.json'),
    SMTP_URL: 'smtps://mail.acme.example',
    SMS_URL: 'https://sms.acme.example',
  }),
}

describeStartUp(api, ({ place, start, startAndStop, refused }) => {
  it('the API outside the sandbox refuses logins signed with the published secrets of stand-ins', async () => {
    const sandbox = start(here, 'sandbox')
    await sandbox.ready()
    // The attack works where the stand-ins are on.
    expect(await forge(place().port)).toMatchObject({ status: 200, body: { status: 'authenticated' } })
    await endProgram(sandbox)
    for (const env of [{}, here, { ...here, IDENTITY_URL: 'http://identity.localhost:4500' }]) {
      const apiProcess = start(env)
      await apiProcess.ready()
      expect(await forge(place().port)).toMatchObject({ body: { code: 'provider_not_enabled' } })
      await endProgram(apiProcess)
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
    expect(existsSync(join(place().dataDir, 'api', 'keys.json'))).toBe(false)
    // The refused start left no trace: the right settings start.
    await start().ready()
  })
  it('the API does not start under a public name with embedded wallets but without pinned keys of R1', async () => {
    const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const withWallets = { ...acme, embeddedWallets: { enabled: true } }
    writeFileSync(join(place().dataDir, 'environments.json'), JSON.stringify({ acme: withWallets }))
    expect(await refused({})).toMatch(/API_RECORD_KEYS is not set/)
    await start({ API_RECORD_KEYS: JSON.stringify([publicKey.export({ format: 'jwk' })]) }).ready()
  })
  it('the API does not start under a public name with custody but without its own operator key', async () => {
    writeFileSync(
      join(place().dataDir, 'environments.json'),
      JSON.stringify({ acme: { ...acme, custody: { enabled: true } } }),
    )
    expect(await refused({})).toMatch(/CUSTODY_API_PRIVATE_KEY is not set/)
    const { publicKey, privateKey } = newKey()
    const operator = { CUSTODY_ORGANIZATION_ID: 'acme', CUSTODY_API_PUBLIC_KEY: publicKey }
    await start({ ...operator, CUSTODY_API_PRIVATE_KEY: privateKey }).ready()
  })
  it('the API lists all problems of a start in one message', async () => {
    await startAndStop()
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
    await startAndStop(here)
    expect(await refused({ ...here, API_KEYS: newKeys() })).toMatch(/API_KEYS: the database was made with other keys/)
    expect(await refused({ ...here, API_KEYS: '' })).toMatch(/API_KEYS is not set, and the database was made with/)
    expect(existsSync(join(place().dataDir, 'api', 'keys.json'))).toBe(false)
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
        externalJwt: { issuer: 'http://host.localhost', audience: 'acme', jwksUrl: 'http://127.0.0.1:9/jwks' },
      },
    },
    social: { identity: { publicUrl: 'http://identity.localhost:4500', internalUrl: 'http://127.0.0.1:4500' } },
  }
  const starting = startApi(withStandIns(options))
  await expect(starting).rejects.toThrow(/IDENTITY_URL is not off/)
  await expect(starting).rejects.toThrow(/accepts tokens of http:\/\/host\.localhost/)
})
