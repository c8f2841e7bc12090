/** Tests `doctor` on a real deployment: each check fails with its remedy while its thing is broken, and passes after. */
import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { newKey } from '@keybay/sandbox-api/operated'
import { readMetrics } from '@keybay/sandbox-service/testing/exposition'
import { freePort } from '@keybay/sandbox-tools/free-port'
import postgres from 'postgres'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Env, isStateful, SERVICES, type ServiceName } from '../src/services.js'
import { type Deployment, getConfigurations, startDeployment } from './deployment.js'
import { listAlertQueries, listDashboards, listQueries, listSelectors } from './queries.js'
import { createAuthority, type Mistakes } from './tls-proxy.js'

let deployment: Deployment
beforeAll(async () => {
  deployment = await startDeployment()
}, 240_000)
afterAll(() => deployment?.stop())

/** How a test breaks something: variables that differ, and what puts everything else right again. */
interface Break {
  readonly changes?: Env
  repair?(): unknown
}

async function sql(url: string, ...statements: readonly string[]): Promise<void> {
  const client = postgres(url, { max: 1 })
  try {
    for (const statement of statements) await client.unsafe(statement)
  } finally {
    await client.end()
  }
}

function mistake(service: ServiceName, mistakes: Mistakes): Break {
  const proxy = deployment.proxies[service]
  proxy.mistakes = mistakes
  return {
    repair() {
      proxy.mistakes = {}
    },
  }
}

async function setting(service: 'api' | 'r1', name: string, value: string): Promise<Break> {
  const url = deployment.databases[service]
  const database = `alter database ${service}`
  await sql(url, `${database} set ${name} = ${value}`)
  // A read-only database can only be changed by a session that is not.
  return { repair: () => sql(url, 'set default_transaction_read_only = off', `${database} reset ${name}`) }
}

/** Writes a changed file of environments, which only the doctor reads. */
function changed(name: 'api' | 'relay' | 'frame', variable: string, change: (file: string) => string): Break {
  const file = join(deployment.folder, `changed-${name}.json`)
  const before = JSON.stringify(getConfigurations(deployment)[name])
  const after = change(before)
  expect(after).not.toBe(before)
  writeFileSync(file, after)
  return { changes: { [variable]: file } }
}

const closedPort = await freePort()
const closed = `http://127.0.0.1:${closedPort}`

const CASES: readonly (readonly [ServiceName, string, RegExp, () => Break | Promise<Break>])[] = [
  [
    'api',
    'settings',
    /^API_ADMIN is on|^API_LIMIT_FACTOR is 2.*Set it to 1/,
    () => ({ changes: { API_LIMIT_FACTOR: '2' } }),
  ],
  [
    'frame',
    'settings',
    /FRAME_PUBLIC_URL is plain http.*Use https/,
    () => ({ changes: { FRAME_PUBLIC_URL: 'http://localhost' } }),
  ],
  [
    'r1',
    'dns',
    /DNS record .* for gone\.invalid/,
    () => ({ changes: { RELAY_PUBLIC_URL: 'https://gone.invalid/api/v0' } }),
  ],
  [
    'custody',
    'tls',
    /Renew the certificate of localhost/,
    async () => {
      const { server } = deployment.proxies.custody
      server.setSecureContext(await deployment.authority.issue(3))
      return { repair: () => server.setSecureContext(deployment.certificate) }
    },
  ],
  [
    'frame',
    'tls',
    /certificate for localhost from an authority that browsers trust/,
    async () => {
      const { server } = deployment.proxies.frame
      server.setSecureContext(await (await createAuthority()).issue(60))
      return { repair: () => server.setSecureContext(deployment.certificate) }
    },
  ],
  [
    'r2',
    'answers',
    /Start the service, and let the proxy at https:\/\/localhost:\d+ forward/,
    () => mistake('r2', { status: 502 }),
  ],
  [
    'api',
    'clock',
    /Synchronize the clocks/,
    () => mistake('api', { headers: { date: new Date(Date.now() + 120_000).toUTCString() } }),
  ],
  ['api', 'proxies', /Set API_TRUSTED_PROXIES to the number/, () => ({ changes: { API_TRUSTED_PROXIES: '0' } })],
  [
    'custody',
    'database',
    /Start PostgreSQL/,
    () => {
      deployment.database.halt()
      return { repair: deployment.database.resume }
    },
  ],
  ['api', 'database', /Set the address to the primary/, () => setting('api', 'default_transaction_read_only', 'on')],
  [
    'custody',
    'schema',
    /Run "npx @keybay\/operate migrate custody"/,
    async () => {
      const rename = (from: string, to: string) =>
        sql(deployment.databases.custody, `alter table drizzle.${from} rename to ${to}`)
      await rename('__drizzle_migrations', 'hidden')
      return { repair: () => rename('hidden', '__drizzle_migrations') }
    },
  ],
  [
    'r1',
    'keys',
    /the database was made with other keys.*Use the one that it knows/,
    () => ({ changes: { RELAY_KEK_FILE: join(deployment.folder, 'r2', 'kek') } }),
  ],
  [
    'r1',
    'durability',
    /Set fsync, full_page_writes and synchronous_commit/,
    () => setting('r1', 'synchronous_commit', 'off'),
  ],
  [
    'api',
    'jwks',
    /Give every instance the same API_KEYS, and restart/,
    () => {
      const file = join(deployment.folder, 'other-keys.json')
      const keys = JSON.parse(readFileSync(join(deployment.folder, 'api', 'keys.json'), 'utf8'))
      const { record } = JSON.parse(readFileSync(join(deployment.folder, 'r1', 'keys.json'), 'utf8'))
      writeFileSync(file, JSON.stringify({ ...keys, signing: [...record, ...keys.signing] }))
      return { changes: { API_KEYS_FILE: file } }
    },
  ],
  [
    'api',
    'origins',
    /Remove the CORS headers/,
    () => mistake('api', { headers: { 'access-control-allow-origin': '*' } }),
  ],
  [
    'api',
    'relay 1',
    /Set API_RELAY_URLS to the addresses of R1 and R2/,
    () => ({ changes: { API_RELAY_URLS: `http://127.0.0.1:${deployment.ports.r2}/api/v0` } }),
  ],
  [
    'api',
    'record keys',
    /set API_RECORD_KEYS to them/,
    () => {
      const { recordKeys } = JSON.parse(readFileSync(join(deployment.folder, 'r2', 'party.json'), 'utf8'))
      return { changes: { API_RECORD_KEYS: JSON.stringify(recordKeys) } }
    },
  ],
  [
    'custody',
    'mail',
    /Check the host, port, user and password of SMTP_URL/,
    () => ({ changes: { SMTP_URL: `smtp://127.0.0.1:${closedPort}` } }),
  ],
  [
    'api',
    'sms',
    /Set SMS_URL to the address that takes POST/,
    () => ({ changes: { SMS_URL: `${deployment.smsUrl}-gone` } }),
  ],
  [
    'api',
    'rpc Solana Localnet',
    /Set the address to a node of Solana Localnet/,
    () =>
      changed('api', 'API_ENVIRONMENTS_FILE', text =>
        text.replace('"genesisHash":""', `"genesisHash":"${'5'.repeat(44)}"`),
      ),
  ],
  [
    'api',
    'custody',
    /Start custody at CUSTODY_URL/,
    () => {
      const { publicKey, privateKey } = newKey()
      const changes = {
        CUSTODY_API_PUBLIC_KEY: publicKey,
        CUSTODY_API_PRIVATE_KEY: privateKey,
        CUSTODY_API_PRIVATE_KEY_FILE: '',
      }
      return { changes }
    },
  ],
  [
    'r1',
    'peer',
    /Ask the operator of R2 for its party\.json/,
    () => ({ changes: { RELAY_PEER_KEYS: readFileSync(join(deployment.folder, 'r1', 'party.json'), 'utf8') } }),
  ],
  [
    'r2',
    'sign-in acme',
    /Set apiUrl of environment acme/,
    () =>
      changed('relay', 'RELAY_ENVIRONMENTS_FILE', text =>
        text.replace(`http://127.0.0.1:${deployment.ports.api}`, closed),
      ),
  ],
  [
    'r2',
    'rpc acme',
    /Check the address of the node 127\.0\.0\.1/,
    () => changed('relay', 'RELAY_ENVIRONMENTS_FILE', text => text.replace(deployment.rpcUrl, closed)),
  ],
  [
    'frame',
    'pages and headers',
    /Let the proxy send the headers of the frame unchanged/,
    () => mistake('frame', { headers: { 'content-security-policy': "default-src * 'unsafe-inline'" } }),
  ],
  ['frame', 'files', /Serve the files of this version/, () => mistake('frame', { status: 404, path: '/assets/' })],
  [
    'frame',
    'configuration',
    /Restart every instance with this FRAME_ENVIRONMENTS_FILE/,
    () => changed('frame', 'FRAME_ENVIRONMENTS_FILE', text => text.replace('app.acme.example', 'new.acme.example')),
  ],
  [
    'frame',
    'keys of R2',
    /Ask the operator of R2 for its party\.json/,
    () =>
      changed('frame', 'FRAME_ENVIRONMENTS_FILE', text =>
        text.replace(/(.*"sealingKey":")[\w-]{43}/, `$1${'A'.repeat(43)}`),
      ),
  ],
  [
    'frame',
    'API',
    /Add https:\/\/localhost:\d+ to frameOrigins/,
    () => mistake('api', { headers: { 'access-control-allow-origin': 'https://app.acme.example' } }),
  ],
]

it('doctor finds nothing wrong with a deployment whose keys keygen made and whose databases migrate made', async () => {
  const results = await deployment.examine()
  expect(results.filter(({ ok }) => !ok)).toEqual([])
  expect(new Set(results.map(({ check }) => check)).size).toBeGreaterThanOrEqual(20)
})

it('doctor accepts a database with several hosts, of which one is the primary', async () => {
  const DATABASE_URL = deployment.databases.api.replace('@', '@127.0.0.1:1,')
  const results = await deployment.examine(['api'], { DATABASE_URL })
  expect(results.filter(({ ok }) => !ok)).toEqual([])
})

it.each(CASES)(
  'doctor: “%s %s” fails with one remedy while it is broken, and passes when it is repaired',
  async (service, check, remedy, damage) => {
    const read = async (changes?: Env) =>
      (await deployment.examine([service], changes)).find(result => result.check === check)
    const { changes, repair } = await damage()
    expect(await read(changes)).toMatchObject({ service, ok: false, remedy: expect.stringMatching(remedy) })
    await repair?.()
    await expect.poll(() => read()).toMatchObject({ service, ok: true })
  },
)

it('doctor: “r1 API token” fails when the API has revoked the token, and passes with a new one', async () => {
  await deployment.token.revoke()
  const read = async (changes?: Env) =>
    (await deployment.examine(['r1'], changes)).find(({ check }) => check === 'API token acme')
  expect(await read()).toMatchObject({ ok: false, remedy: expect.stringMatching(/Make a token with the scope "mfa"/) })
  const { token } = await deployment.makeToken()
  expect(await read({ RELAY_API_TOKEN: token })).toMatchObject({ ok: true })
})

function getMetricsUrl(service: ServiceName): string {
  return `http://127.0.0.1:${deployment.metricsPorts[service]}/metrics`
}

it.each(SERVICES)('%s in production has metrics on its own port, and not at its public address', async service => {
  const values = await readMetrics({ metricsUrl: getMetricsUrl(service) })
  const names = [...values.keys()]
  expect(names.some(name => /^http_requests_total\{method="GET",route="[^"]+",status="200"\}$/.test(name))).toBe(true)
  expect(values.get('process_cpu_seconds_total')).toBeGreaterThan(0)
  expect(values.get('keybay_database_connections_max')).toBe(isStateful(service) ? 10 : undefined)
  const outside = await fetch(`http://127.0.0.1:${deployment.ports[service]}/metrics`)
  expect([service, outside.status]).toEqual([service, 404])
})

it('every metric that an alert or a dashboard reads is one of a service', async () => {
  const texts = await Promise.all(SERVICES.map(async service => (await fetch(getMetricsUrl(service))).text()))
  const known = new Set(texts.flatMap(text => text.match(/(?<=^# TYPE )\S+/gm) ?? []))
  const read = [...listAlertQueries(), ...listDashboards().flatMap(listQueries)].flatMap(listSelectors)
  expect(read.length).toBeGreaterThan(30)
  expect(read.filter(({ metric }) => metric !== 'up' && !known.has(metric))).toEqual([])
})

it('doctor as a program prints JSON or text, and ends with code 1 when a check fails', async () => {
  const program = fileURLToPath(new URL('../dist/main.js', import.meta.url))
  const run = (...args: readonly string[]) =>
    new Promise<{ code: number; output: string }>(resolve => {
      const env = { ...process.env, NODE_EXTRA_CA_CERTS: deployment.authorityFile }
      const all = [program, 'doctor', '--env', deployment.folder, ...args]
      const child = execFile(process.execPath, all, { env }, (_, output) =>
        resolve({ code: child.exitCode ?? 1, output }),
      )
    })
  const { repair } = mistake('custody', { status: 502 })
  const [broken, whole] = await Promise.all([run('custody', '--json'), run('frame')])
  repair?.()
  expect(broken.code).toBe(1)
  const answers = { service: 'custody', check: 'answers', ok: false }
  expect(JSON.parse(broken.output)).toContainEqual(expect.objectContaining(answers))
  expect(whole).toEqual({ code: 0, output: expect.stringMatching(/ok +frame +tls: [\s\S]*All checks passed\./) })
}, 240_000)
