/** Start-up checks of the relay program on a real PostgreSQL: each problem alone, and all of them in one message. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findPostgres, type Postgres, startPostgres } from '@keybay/sandbox-api/testing/postgres'
import { endProgram, type Program, runProgram, throughPlainProxy } from '@keybay/sandbox-api/testing/program'
import { freePort } from '@keybay/sandbox-service/free-port'
import postgres from 'postgres'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { newRelayKeys } from './world.js'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const installation = findPostgres()
if ('missing' in installation) console.warn(`The start of a public relay is not tested here: ${installation.missing}.`)

function program(name: string) {
  return fileURLToPath(new URL(`../dist/${name}.js`, import.meta.url))
}
const PUBLIC = 'https://relay.acme.example/api/v0'

function kek(byte: number) {
  return Buffer.alloc(32, byte).toString('base64url')
}
const { keys } = newRelayKeys()

describe.skipIf('missing' in installation)('a relay', () => {
  let database: Postgres
  let databaseUrl: string
  let dataDir: string
  let port: number
  let running: Program[] = []
  let count = 0
  beforeAll(async () => {
    database = await startPostgres('bin' in installation ? installation.bin : '', 'on')
  })
  beforeEach(async () => {
    databaseUrl = database.create(`relay_${++count}`)
    dataDir = mkdtempSync(join(tmpdir(), 'keybay-relay-'))
    port = await freePort()
    const settings = {
      apiUrl: 'https://api.acme.example/api/v0',
      issuer: 'https://api.acme.example/api/v0/sdk/acme',
      hostOrigins: ['https://app.acme.example'],
      frameOrigins: ['https://wallet.acme-keys.example'],
      rpcUrl: 'https://rpc.acme.example',
    }
    writeFileSync(join(dataDir, 'environments.json'), JSON.stringify({ acme: settings }))
  })
  afterEach(async () => {
    for (const each of running) await endProgram(each)
    running = []
    rmSync(dataDir, { recursive: true, force: true })
  })
  afterAll(() => database?.stop())

  const good = () => ({
    KEYBAY_DATA_DIR: dataDir,
    RELAY_PORT: String(port),
    RELAY_PUBLIC_URL: PUBLIC,
    RELAY_DATABASE_URL: databaseUrl,
    RELAY_KEYS: keys,
    RELAY_KEK: kek(1),
    RELAY_ENVIRONMENTS_FILE: join(dataDir, 'environments.json'),
  })
  /** Empty variables count as unset. */
  const start = (env: Record<string, string> = {}, name = 'main', args: readonly string[] = []): Program => {
    const started = runProgram(program(name), { ...good(), ...env }, args)
    running.push(started)
    return started
  }
  /** Local mode, where stand-ins and `/admin` are allowed. */
  const here = { RELAY_PUBLIC_URL: '' }
  const startAndStop = async (env: Record<string, string> = {}) => {
    const started = start(env)
    await started.ready()
    await endProgram(started)
  }
  const refused = async (env: Record<string, string>): Promise<string> => {
    const { code, output } = await start(env).ended()
    expect(code).toBe(1)
    expect(output).not.toContain(kek(1))
    return output
  }

  it('a relay starts under a public name with its own settings, without /admin/clock behind a plain proxy_pass', async () => {
    await start().ready()
    for (const method of ['GET', 'POST', 'DELETE'])
      expect((await throughPlainProxy(port, '/admin/clock', method)).status).toBe(404)
    expect((await fetch(`http://127.0.0.1:${port}/health`)).status).toBe(200)
  })

  it('a relay serves /admin/clock to direct requests on this machine, and to no proxied request', async () => {
    await start(here).ready()
    expect((await throughPlainProxy(port, '/admin/clock')).status).toBe(200)
    for (const name of ['Via', 'Forwarded', 'X-Real-IP', 'X-Forwarded-Proto', 'X-Forwarded-Anything']) {
      const headers = { [name]: 'x' }
      expect((await fetch(`http://127.0.0.1:${port}/admin/clock`, { headers })).status, name).toBe(403)
    }
  })

  it.each([
    ['the sandbox’s environment', { RELAY_ENVIRONMENTS_FILE: '' }, /RELAY_ENVIRONMENTS_FILE is not set/],
    ['/admin on', { RELAY_ADMIN: 'on' }, /RELAY_ADMIN is on/],
    ['a key-encryption key of its own', { RELAY_KEK: '' }, /RELAY_KEK is not set/],
    ['party keys of its own', { RELAY_KEYS: '' }, /RELAY_KEYS is not set/],
    ['a key that is none', { RELAY_KEK: 'short' }, /RELAY_KEK must be 32 bytes/],
  ])('a relay does not start under a public name with %s, and writes no key', async (_, env, problem) => {
    const output = await refused(env)
    expect(output).toMatch(problem)
    expect(output).not.toMatch(/\n- /)
    expect(existsSync(join(dataDir, 'relay', 'kek'))).toBe(false)
    expect(existsSync(join(dataDir, 'relay', 'keys.json'))).toBe(false)
    // The refused starts left no trace: the right settings start.
    await start().ready()
  })

  it('a relay lists all problems of its start in one message', async () => {
    await startAndStop()
    const output = await refused({ RELAY_ENVIRONMENTS_FILE: '', RELAY_ADMIN: 'on', RELAY_KEK: kek(2), RELAY_KEYS: '' })
    expect(output.match(/^- /gm)).toHaveLength(4)
    for (const problem of [
      /- RELAY_ENVIRONMENTS_FILE is not set/,
      /- RELAY_ADMIN is on/,
      /- RELAY_KEYS is not set, so this instance would use/,
      /- RELAY_KEK: the database was made with other keys/,
    ])
      expect(output).toMatch(problem)
  })

  it('a relay lists invalid variables together with unsafe variables, and does not touch the database', async () => {
    const output = await refused({
      RELAY_PORT: 'x',
      RELAY_DATABASE_URL: 'mysql://acme.example',
      RELAY_LIMIT_FACTOR: '0',
      RELAY_ENVIRONMENTS_FILE: '',
      RELAY_ADMIN: 'on',
    })
    expect(output.match(/^- /gm)).toHaveLength(5)
    for (const problem of [
      /- RELAY_PORT must be a whole number/,
      /- RELAY_DATABASE_URL must be an address/,
      /- RELAY_LIMIT_FACTOR must be a whole number/,
      /- RELAY_ENVIRONMENTS_FILE is not set/,
      /- RELAY_ADMIN is on/,
    ])
      expect(output).toMatch(problem)
    expect(existsSync(join(dataDir, 'relay'))).toBe(false)
  })

  it('a public relay refuses a PostgreSQL that may lose confirmed writes, and one of this machine accepts it', async () => {
    const sql = postgres(databaseUrl, { max: 1 })
    await sql.unsafe(`alter database "${new URL(databaseUrl).pathname.slice(1)}" set synchronous_commit = off`)
    await sql.end()
    expect(await refused({})).toMatch(/PostgreSQL has synchronous_commit = off/)
    await startAndStop(here)
  })

  it('a public relay reaches its peer over https, or on this machine', async () => {
    expect(await refused({ RELAY_PEER_URL: 'http://10.0.0.5:4301/api/v0' })).toMatch(/RELAY_PEER_URL begins with http:/)
    await startAndStop({ RELAY_PEER_URL: 'https://r2.acme.example/api/v0' })
    await startAndStop({ RELAY_PEER_URL: 'http://127.0.0.1:4301/api/v0' })
  })

  it('a relay names an unreachable database together with the other problems of its start', async () => {
    const output = await refused({ RELAY_DATABASE_URL: 'postgres://127.0.0.1:1/none', RELAY_ADMIN: 'on' })
    expect(output).toMatch(/- RELAY_ADMIN is on.*\n- the database at 127\.0\.0\.1:1 cannot be opened/)
  })

  it('rotating a relay’s key-encryption key registers the next key first and retires the old key last, on every run', async () => {
    await startAndStop()
    expect(await refused({ RELAY_KEK: kek(2) })).toMatch(/does not know this key-encryption key/)
    expect(await refused({ RELAY_KEK: `${kek(2)},${kek(1)}` })).toMatch(/register this one first/)
    const both = { RELAY_KEK: `${kek(2)},${kek(1)}` }
    for (const _ of ['once', 'twice'])
      expect(await start(both, 'rotate').ended()).toEqual({
        code: 0,
        output: expect.stringMatching(/^0 secrets are under an old key/),
      })
    await startAndStop(both)
    await startAndStop({ RELAY_KEK: kek(2) })
    expect(await refused({})).toMatch(/does not know this key-encryption key/)
  })

  it('a relay does not start on a database of another key, even on this machine, and writes no key of its own', async () => {
    await startAndStop(here)
    expect(await refused({ ...here, RELAY_KEK: kek(2) })).toMatch(/RELAY_KEK: the database was made with other keys/)
    expect(await refused({ ...here, RELAY_KEK: '' })).toMatch(/RELAY_KEK is not set, and the database/)
    expect(existsSync(join(dataDir, 'relay', 'kek'))).toBe(false)
    const other = newRelayKeys().keys
    expect(await refused({ ...here, RELAY_KEYS: other })).toMatch(/does not know this record key/)
    const sealing = JSON.stringify({ ...JSON.parse(keys), sealing: JSON.parse(other).sealing })
    const output = await refused({ ...here, RELAY_KEYS: sealing })
    expect(output).toMatch(/does not know this sealing key/)
    expect(output).not.toMatch(/record key/)
    await startAndStop(here)
  })

  it('one of two concurrent first starts of a relay writes the keys; the other start is refused and writes none', async () => {
    const [one, two] = ['one', 'two'].map(name => join(dataDir, name))
    const env = { ...here, RELAY_KEK: '', RELAY_KEYS: '', RELAY_PORT: '0' }
    const both = [one, two].map(folder => start({ ...env, KEYBAY_DATA_DIR: folder ?? '' }))
    const started = await Promise.allSettled(both.map(each => each.ready()))
    expect(started.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const wrote = [one, two].map(folder => existsSync(join(folder ?? '', 'relay', 'kek')))
    expect(wrote).toEqual(started.map(({ status }) => status === 'fulfilled'))
  })

  it('a relay accepts a new record key once registered, and the old record key until it is retired', async () => {
    await startAndStop()
    const old = JSON.parse(keys)
    const next = JSON.parse(newRelayKeys().keys).record
    const both = { RELAY_KEYS: JSON.stringify({ ...old, record: [...next, ...old.record] }) }
    expect(await refused(both)).toMatch(/does not know this record key.*register this one first/)
    const command = (env: Record<string, string>, ...args: string[]) => start(env, 'keys-command', args).ended()
    expect(await command(both, 'register')).toEqual({
      code: 0,
      output: expect.stringMatching(/^Registered the record key/),
    })
    await startAndStop(both)
    await startAndStop()
    expect((await command({ RELAY_KEYS: '' }, 'retire')).output).toMatch(/Set RELAY_KEYS: this command makes no keys/)
    const only = { RELAY_KEYS: JSON.stringify({ ...old, record: next }) }
    expect(await command(only, 'retire')).toEqual({ code: 0, output: expect.stringMatching(/^Retired the record key/) })
    expect(await refused({})).toMatch(/does not know this record key/)
    await startAndStop(only)
    const listed = (await command(only)).output
    expect(listed).toMatch(/record key \S+: used, here/)
    expect(listed).not.toContain(next[0].d)
  })
})
