/**
 * Brings up what `sandbox/deploy` describes, as its README says, where no Docker is: the images' files and commands,
 * PostgreSQL with its standby, the keys, and services in production that run as another user.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseEnv, promisify } from 'node:util'
import { type Postgres, startPostgres } from '@keybay/sandbox-service/testing/postgres'
import { temporaryFolder } from '@keybay/sandbox-service/testing/temporary-folder'
import { freePort } from '@keybay/sandbox-tools/free-port'
import { POSTGRES, requireProgram } from '@keybay/sandbox-tools/programs'
import postgres from 'postgres'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeApiToken } from '../src/api-token.js'
import { makeKeys } from '../src/keygen.js'
import { prepare } from '../src/prepare.js'
import { SERVICES } from '../src/services.js'
import { DEPLOY, readDeployFile } from './compose.js'
import { readCommand, readVariables, unpackSource, unpackTarget } from './image.js'
import { createAuthority, startProxy } from './tls-proxy.js'

const run = promisify(execFile)
const OPERATE = fileURLToPath(new URL('../dist/main.js', import.meta.url))
const POSTGRES_BIN = requireProgram(POSTGRES)
const isRoot = process.getuid?.() === 0
/** The user of a container, which is not root. */
const USER = isRoot ? { uid: 65_534, gid: 65_534 } : {}

/** Targets whose images are unpacked and started; all of them in a soak test. */
const TARGETS =
  process.env.KEYBAY_SOAK === '1'
    ? ([
        ['api', 'api'],
        ['relay', 'r1'],
        ['relay', 'r2'],
        ['custody', 'custody'],
        ['frame', 'frame'],
      ] as const)
    : ([
        ['api', 'api'],
        ['relay', 'r2'],
      ] as const)

const keys = temporaryFolder()
const source = temporaryFolder()
const work = temporaryFolder()
const authorityFile = join(work, 'authority.pem')
const children: ChildProcess[] = []
const closers: (() => unknown)[] = []
let database: Postgres
let apiPort: number

function* listAll(folder: string): Generator<string> {
  yield folder
  for (const entry of readdirSync(folder, { withFileTypes: true }))
    if (entry.isDirectory()) yield* listAll(join(folder, entry.name))
    else yield join(folder, entry.name)
}

/** Gives the keys to the user of the containers. */
function giveAway(): void {
  for (const path of isRoot ? listAll(keys) : []) chownSync(path, 65_534, 65_534)
}

/** Variables of the deployment, as in `.env`. */
function getNames() {
  const names = { ...parseEnv(readDeployFile('example.env')), API_NAME: `localhost:${apiPort}` }
  return { ...names, DATABASE_HOST: `127.0.0.1:${new URL(database.url).port}` }
}

async function makeToken(relay: string): Promise<string> {
  // This process does not trust the proxy's certificate.
  const env = { ...process.env, NODE_EXTRA_CA_CERTS: authorityFile }
  const { stdout } = await run(process.execPath, [OPERATE, 'api-token', relay, '--env', keys], { env })
  giveAway()
  return stdout
}

/** Runs the scripts of the primary, as the entrypoint of the image does. */
async function initialize(): Promise<void> {
  const { port, username } = new URL(database.url)
  const data = join(work, 'primary')
  mkdirSync(data)
  const PATH = `${POSTGRES_BIN}:${process.env.PATH}`
  const place = { PGHOST: '127.0.0.1', PGPORT: port, PGDATA: data, POSTGRES_USER: username }
  for (const script of ['roles.sh', 'primary.sh'])
    await run('sh', [join(DEPLOY, 'postgres', script)], {
      env: { ...process.env, ...place, PATH, KEYS: join(keys, 'postgres') },
    })
  expect(readFileSync(join(data, 'pg_hba.conf'), 'utf8')).toContain('replication replication')
}

beforeAll(async () => {
  database = await startPostgres({ fsync: 'on' })
  closers.push(database.stop)
  const upstream = await freePort()
  const authority = await createAuthority()
  authority.write(authorityFile)
  const proxy = await startProxy(upstream, await authority.issue(60))
  closers.push(() => proxy.server.close().closeAllConnections())
  apiPort = Number(new URL(proxy.origin).port)
  ports.api = upstream
  for (const folder of [keys, source, work]) chmodSync(folder, 0o755)
  await makeKeys({ folder: keys, services: SERVICES })
  writeFileSync(join(keys, 'smtp-url'), 'smtps://user:password@mail.acme.example:465', { mode: 0o600 })
  prepare(keys, getNames())
  giveAway()
  await initialize()
  unpackSource(source)
}, 120_000)

afterAll(async () => {
  for (const child of children) child.kill('SIGKILL')
  await Promise.all(children.map(child => child.exitCode === null && child.signalCode === null && once(child, 'close')))
  for (const close of closers.reverse()) await close()
})

const ports: Record<string, number> = {}

/** Starts an image's program with the variables of compose and no others. @returns its environment and output */
async function start(target: string, service: string, folder: string) {
  const port = ports[service] ?? (await freePort())
  const image = readVariables(target)
  const free = Object.keys(image).filter(name => name.endsWith('_PORT') && !name.endsWith('METRICS_PORT'))
  const env = {
    PATH: process.env.PATH,
    ...image,
    ...Object.fromEntries(free.map(name => [name, String(port)])),
    ...Object.fromEntries(
      Object.keys(image)
        .filter(name => name.endsWith('METRICS_PORT'))
        .map(name => [name, '']),
    ),
    ...parseEnv(readFileSync(join(keys, `${service}.env`), 'utf8')),
    // The proxy of this test has a certificate of its own.
    NODE_EXTRA_CA_CERTS: authorityFile,
  }
  const [program = '', ...args] = readCommand(target, 'CMD')
  const child = spawn(program, args, { cwd: folder, env, ...USER, stdio: ['ignore', 'pipe', 'pipe'] })
  children.push(child)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', text => (output += text))
  return { child, env, getOutput: () => output }
}

it('the scripts of PostgreSQL make a role and a database for each service, and a synchronous standby', async () => {
  const sql = postgres(database.url, { max: 1 })
  closers.push(() => sql.end())
  const names = await sql`select datname from pg_database join pg_roles on rolname = datname order by 1`
  expect(names.map(({ datname }) => datname)).toEqual(['api', 'custody', 'r1', 'r2'])
  const folder = join(work, 'standby')
  mkdirSync(folder)
  const { uid, gid } = statSync(new URL(`file://${(await sql`show data_directory`)[0]?.data_directory}`))
  chownSync(folder, uid, gid)
  const { port } = new URL(database.url)
  const env = {
    PATH: `${POSTGRES_BIN}:${process.env.PATH}`,
    PGDATA: folder,
    KEYS: join(keys, 'postgres'),
    PRIMARY_HOST: '127.0.0.1',
    PRIMARY_PORT: port,
  }
  const args = [join(DEPLOY, 'postgres/standby.sh'), '-p', String(await freePort()), '-c', 'listen_addresses=127.0.0.1']
  const user = isRoot ? { uid, gid } : {}
  const child = spawn('sh', [...args, '-c', 'unix_socket_directories='], { cwd: '/', env, ...user, stdio: 'ignore' })
  children.push(child)
  await sql`select pg_reload_conf()`
  await expect
    .poll(async () => (await sql`select application_name, sync_state from pg_stat_replication`)[0])
    .toEqual({ application_name: 'standby', sync_state: 'sync' })
}, 60_000)

it.each(TARGETS)(
  'the image %s starts in production as %s with what it copies and installs, and its health check succeeds',
  async (target, service) => {
    const folder = temporaryFolder()
    chmodSync(folder, 0o755)
    unpackTarget(target, source, folder)
    expect(existsSync(join(folder, 'node_modules/vitest'))).toBe(false)
    if (service === 'r1' || service === 'r2')
      expect(await makeToken(service)).toBe(`Wrote ${join(keys, service, 'api-token')}\n`)
    const { child, env, getOutput } = await start(target, service, folder)
    const [program = '', ...args] = readCommand(target, 'HEALTHCHECK')
    const isHealthy = () =>
      run(program, args, { env }).then(
        () => 'healthy',
        () => (child.exitCode === null ? 'waiting' : getOutput()),
      )
    await expect.poll(isHealthy, { interval: 200 }).not.toBe('waiting')
    expect([await isHealthy(), getOutput()]).toEqual(['healthy', expect.stringMatching(/ready https:/)])
  },
  120_000,
)

it('prepare changes nothing when it runs again, and says what is missing', async () => {
  expect(prepare(keys, getNames())).toBe('Nothing to write.')
  expect(() => prepare(keys, {})).toThrow(/^Set ENVIRONMENT_ID, APP_ORIGIN, .* in \.env, as in example\.env\.$/)
  expect(() => prepare(temporaryFolder(), getNames())).toThrow(/has no file such as api\.env/)
  await expect(makeApiToken(keys, ['api'])).rejects.toThrow('Name one relay: r1 or r2.')
  await expect(makeApiToken(keys, ['r2'])).rejects.toThrow(/api-token exists already/)
})

it('prepare names the operator to ask for a relay’s keys, and completes a file without a last line feed', async () => {
  const folder = temporaryFolder()
  await makeKeys({ folder, services: ['r2'] })
  expect(() => prepare(folder, getNames())).toThrow(/r1\/party\.json does not exist\. Get it from the operator of r1\./)
  mkdirSync(join(folder, 'r1'))
  copyFileSync(join(keys, 'r1/party.json'), join(folder, 'r1/party.json'))
  const file = join(folder, 'r2.env')
  const before = readFileSync(file, 'utf8')
  writeFileSync(file, before.trimEnd())
  expect(prepare(folder, getNames())).toMatch(/r2\.env\n/)
  expect(parseEnv(readFileSync(file, 'utf8'))).toMatchObject(parseEnv(before))
  expect(readdirSync(join(folder, 'postgres/roles'))).toEqual(['r2'])
})

it('the secrets that prepare makes are random, and only the passwords of other programs are readable for others', () => {
  const roles = readdirSync(join(keys, 'postgres/roles')).map(role => readFileSync(join(keys, 'postgres/roles', role)))
  expect(new Set(roles.map(String)).size).toBe(4)
  const readable = [...listAll(keys)].filter(path => statSync(path).isFile() && (statSync(path).mode & 0o004) !== 0)
  expect(new Set(readable.map(path => dirname(path).slice(keys.length)))).toEqual(
    new Set(['/postgres', '/postgres/roles', '/grafana', '/r1', '/r2']),
  )
})
