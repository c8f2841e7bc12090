/** Tests what the API refuses to start with, as a program on a real PostgreSQL, and sign-in with published secrets. */
import { createHash, createHmac, randomBytes } from 'node:crypto'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { applePrivateKey, sandboxClient } from '@keybay/sandbox-identity/clients'
import { MovableClock } from '@keybay/sandbox-service'
import { newKeyPair } from '@keybay/sandbox-service/key-pair'
import { endProgram } from '@keybay/sandbox-service/testing/program'
import { describeStartUp, IN_SANDBOX, type Place } from '@keybay/sandbox-service/testing/start-up'
import { temporaryFolder } from '@keybay/sandbox-service/testing/temporary-folder'
import { PROVIDERS } from '@keybay/social/server'
import { expect, it } from 'vitest'
import { newKey } from '../src/custody/keys.js'
import { startApi } from '../src/index.js'
import { PROGRAM } from '../src/program.js'
import { SETTINGS } from '../src/settings.js'
import { isPublishedSecret } from '../src/social/published-secrets.js'
import { withStandIns } from '../src/stand-ins.js'
import { type Answer, createKit, sha256 } from './client.js'
import { createServiceKeys } from './service-keys.js'
import { flowBody, newSecrets } from './social-world.js'

const keys = JSON.stringify(createServiceKeys())
const ORIGIN = 'https://app.acme.example'
const operator = newKey()
const approver = newKey()
const recordKeys = JSON.stringify([newKeyPair('P-256').publicKey.export({ format: 'jwk' })])
const acme = { kind: 'live', allowedOrigins: [ORIGIN], signIn: { social: ['telegram', 'google'] } }

/** Uses every setting that production may need. */
const everything = {
  ...acme,
  sms: { countries: ['DE'] },
  embeddedWallets: { enabled: true },
  custody: { enabled: true, secondFactor: true },
}

/** Signs in as any Telegram user, with the bot token published in this repository. */
async function forge(port: number): Promise<Answer> {
  const noMail = { codeTo: () => Promise.reject(new Error('no mail')) }
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

const here = { ...IN_SANDBOX, API_PUBLIC_URL: '' }
const api = {
  title: 'the API',
  dist: new URL('../dist/', import.meta.url),
  program: PROGRAM,
  here,
  secrets: [JSON.parse(keys).secret, sandboxClient('telegram').secret],
  keyFiles: ['api/keys.json', 'api/approver/keys.json'],
  unsafe: [
    ['weaker rate limits', { API_LIMIT_FACTOR: '2' }, /API_LIMIT_FACTOR is 2, which lets attackers guess/],
    ['/admin on', { API_ADMIN: 'on' }, /API_ADMIN is on/],
    ['plain http', { API_PUBLIC_URL: 'http://api.acme.example/api/v0' }, /API_PUBLIC_URL is plain http.*https:/],
    ['keys that are none', { API_KEYS: '{}' }, /API_KEYS does not hold the service's keys/],
    [
      'a secret that is not random',
      { API_KEYS: JSON.stringify({ ...JSON.parse(keys), secret: 'A'.repeat(43) }) },
      /API_KEYS has a key that is not random/,
    ],
    ['an address of stand-ins', { IDENTITY_URL: 'http://127.0.0.1:4500' }, /IDENTITY_URL is not off/],
    [
      'an operator’s key of two halves',
      { CUSTODY_API_PUBLIC_KEY: newKey().publicKey },
      /CUSTODY_API_PRIVATE_KEY .* needs its own CUSTODY_API_PUBLIC_KEY/,
    ],
    ['an SMS service over http', { SMS_URL: 'http://sms.acme.example' }, /SMS_URL is plain http/],
    ['a relay over http', { API_RELAY_URLS: 'http://r1.acme.example/api/v0' }, /API_RELAY_URLS is plain http/],
    ['relays that are no addresses', { API_RELAY_URLS: 'r1.acme.example:443' }, /API_RELAY_URLS must be an address/],
    [
      'an approver with the operator’s key',
      { CUSTODY_API_PRIVATE_KEY: approver.privateKey, CUSTODY_API_PUBLIC_KEY: approver.publicKey },
      /CUSTODY_APPROVER_KEYS has the operator’s key/,
    ],
    ['custody over http', { CUSTODY_URL: 'http://custody.acme.example' }, /CUSTODY_URL is plain http/],
    [
      'a client secret of the sandbox',
      { SOCIAL_TELEGRAM_CLIENT_SECRET: sandboxClient('telegram').secret },
      /SOCIAL_TELEGRAM_CLIENT_SECRET is the sandbox’s, which is public/,
    ],
    ['record keys that are none', { API_RECORD_KEYS: '[]' }, /API_RECORD_KEYS is not a list of public P-256 keys/],
  ] as const,
  prepare: ({ dataDir }: Place) =>
    writeFileSync(join(dataDir, 'environments.json'), JSON.stringify({ acme: everything })),
  good: ({ dataDir, port, databaseUrl }: Place) => ({
    KEYBAY_DATA_DIR: dataDir,
    API_PORT: String(port),
    API_PUBLIC_URL: 'https://api.acme.example/api/v0',
    DATABASE_URL: databaseUrl,
    API_KEYS: keys,
    API_ENVIRONMENTS_FILE: join(dataDir, 'environments.json'),
    SMTP_URL: 'smtps://mail.acme.example',
    SMS_URL: 'https://sms.acme.example',
    MAIL_FROM: 'Acme <no-reply@acme.example>',
    API_TRUSTED_PROXIES: '0',
    API_RECORD_KEYS: recordKeys,
    API_RELAY_URLS: 'https://r1.acme.example/api/v0,https://r2.acme.example/api/v0',
    CUSTODY_URL: 'https://custody.acme.example',
    CUSTODY_ORGANIZATION_ID: 'acme',
    CUSTODY_API_PUBLIC_KEY: operator.publicKey,
    CUSTODY_API_PRIVATE_KEY: operator.privateKey,
    CUSTODY_APPROVER_KEYS: JSON.stringify([{ privateKey: approver.privateKey }]),
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
  it('the API needs no settings in production for what no environment uses', async () => {
    writeFileSync(
      join(place().dataDir, 'environments.json'),
      JSON.stringify({ acme: { ...acme, signIn: { ...acme.signIn, phone: false } } }),
    )
    const custody = Object.fromEntries(
      Object.keys(SETTINGS).flatMap(name => (/^CUSTODY/.test(name) ? [[name, '']] : [])),
    )
    await start({ ...custody, API_RECORD_KEYS: '', SMS_URL: '' }).ready()
  })
  it('the API does not start in production with unsafe addresses in its environments, and names each', async () => {
    const unsafe = {
      allowedOrigins: ['https://*.acme.example', 'http://app.acme.example', 'http://localhost:3000'],
      externalJwt: { issuer: 'http://app.localhost:4000', audience: 'acme', jwksUrl: 'http://acme.example/jwks' },
    }
    writeFileSync(join(place().dataDir, 'environments.json'), JSON.stringify({ acme: { ...acme, ...unsafe } }))
    const output = await refused({})
    for (const problem of [
      /- API_ENVIRONMENTS_FILE: acme\.allowedOrigins: https:\S+ is a wildcard/,
      /- API_ENVIRONMENTS_FILE: acme\.allowedOrigins: http:\/\/app\.acme\.example is plain http/,
      /- API_ENVIRONMENTS_FILE: acme\.allowedOrigins: http:\/\/localhost:3000 is a page of the user's own machine/,
      /- API_ENVIRONMENTS_FILE: acme\.externalJwt\.issuer is plain http/,
      /- API_ENVIRONMENTS_FILE: acme\.externalJwt\.jwksUrl is plain http/,
    ])
      expect(output).toMatch(problem)
    const ownIssuer = { ...unsafe.externalJwt, issuer: 'https://app.localhost', jwksUrl: 'https://acme.example/jwks' }
    writeFileSync(
      join(place().dataDir, 'environments.json'),
      JSON.stringify({ acme: { ...acme, externalJwt: ownIssuer } }),
    )
    expect(await refused({})).toMatch(
      /Environment "acme" accepts tokens of https:\/\/app\.localhost, a name of this machine/,
    )
  })
  it('the API names a secret that its database does not know together with all other problems', async () => {
    await startAndStop()
    const output = await refused({
      API_ENVIRONMENTS_FILE: '',
      API_ADMIN: 'on',
      API_KEYS: JSON.stringify(createServiceKeys()),
    })
    for (const part of [
      /- API_ENVIRONMENTS_FILE is not set/,
      /- API_ADMIN is on/,
      /- API_KEYS: the database was made with other keys/,
    ])
      expect(output).toMatch(part)
  })
  it('the API names an unreachable database together with keys that are none', async () => {
    const env = { DATABASE_URL: 'postgres://127.0.0.1:1/none', API_KEYS: '{}', CUSTODY_APPROVER_KEYS: '[]' }
    const output = await refused(env)
    for (const problem of [
      /- API_KEYS does not hold the service's keys/,
      /- CUSTODY_APPROVER_KEYS does not hold the approver’s keys/,
      /- the database at 127\.0\.0\.1:1 cannot be opened/,
    ])
      expect(output).toMatch(problem)
  })
  it('the API’s program with stand-ins starts in the sandbox only', async () => {
    expect(await refused({}, 'sandbox')).toMatch(/api cannot start: .*stand-ins.*Run dist\/main\.js.*--sandbox/)
  })
  it('the API does not start on a database with another secret, also on this machine, and creates no secret', async () => {
    await startAndStop(here)
    expect(await refused({ ...here, API_KEYS: JSON.stringify(createServiceKeys()) })).toMatch(
      /API_KEYS: the database was made with other keys/,
    )
    expect(await refused({ ...here, API_KEYS: '' })).toMatch(/API_KEYS is not set, and the database was made with/)
    expect(existsSync(join(place().dataDir, 'api', 'keys.json'))).toBe(false)
    // Signing keys may change: the database depends only on the secret.
    const { signing } = createServiceKeys()
    await start({ ...here, API_KEYS: JSON.stringify({ ...JSON.parse(keys), signing }) }).ready()
  })
})

it.each(['https://api.acme.example/api/v0', 'http://api.app.localhost:4100/api/v0', undefined])(
  'inside a program that names no mode, the API at %s refuses stand-ins and a local issuer of tokens',
  async publicUrl => {
    const options = {
      ...(publicUrl !== undefined && { publicUrl }),
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
  },
)

it('every client secret of the sandbox is on the list of published secrets', () => {
  for (const { id } of PROVIDERS)
    expect(isPublishedSecret(id === 'apple' ? applePrivateKey() : sandboxClient(id).secret), id).toBe(true)
  expect(isPublishedSecret(randomBytes(32).toString('base64url'))).toBe(false)
})

it.each(['http://localhost:3000', 'http://app.localhost', 'http://127.0.0.1:4000', 'https://[::1]:4000'])(
  'production refuses the page %s in a live environment, and not in one for development',
  origin => {
    const file = join(temporaryFolder(), 'environments.json')
    const find = (kind: string) => {
      const pages = { allowedOrigins: [ORIGIN, origin], frameOrigins: [origin] }
      writeFileSync(file, JSON.stringify({ acme: { kind, ...pages } }))
      return SETTINGS.API_ENVIRONMENTS_FILE?.findProblems?.(file)
    }
    const problem = `${origin} is a page of the user's own machine`
    expect(find('live')).toEqual([
      expect.stringContaining(`acme.allowedOrigins: ${problem}`),
      expect.stringContaining(`acme.frameOrigins: ${problem}`),
    ])
    expect(find('sandbox')).toEqual([])
  },
)
