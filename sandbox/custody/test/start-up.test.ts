/** Start-up checks of the custody program on a real PostgreSQL: each problem alone, and all of them in one message. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findPostgres, type Postgres, startPostgres } from '@keybay/sandbox-api/testing/postgres'
import { endProgram, type Program, runProgram, throughPlainProxy } from '@keybay/sandbox-api/testing/program'
import { freePort } from '@keybay/sandbox-service/free-port'
import { generateP256KeyPair } from '@turnkey/crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { newEnclaveKey } from './keys.js'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const installation = findPostgres()
if ('missing' in installation)
  console.warn(`The start of a public custody is not tested here: ${installation.missing}.`)

function program(name: string) {
  return fileURLToPath(new URL(`../dist/${name}.js`, import.meta.url))
}

function kek(byte: number) {
  return Buffer.alloc(32, byte).toString('base64url')
}
const enclave = newEnclaveKey()
const { publicKey } = generateP256KeyPair()

describe.skipIf('missing' in installation)('custody', () => {
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
    databaseUrl = database.create(`custody_${++count}`)
    dataDir = mkdtempSync(join(tmpdir(), 'keybay-custody-'))
    port = await freePort()
  })
  afterEach(async () => {
    for (const each of running) await endProgram(each)
    running = []
    rmSync(dataDir, { recursive: true, force: true })
  })
  afterAll(() => database?.stop())

  const good = () => ({
    KEYBAY_DATA_DIR: dataDir,
    CUSTODY_PORT: String(port),
    CUSTODY_PUBLIC_URL: 'https://custody.acme.example',
    CUSTODY_DATABASE_URL: databaseUrl,
    CUSTODY_KEK: kek(1),
    CUSTODY_ENCLAVE_KEY: enclave,
    CUSTODY_ORGANIZATION_ID: 'acme',
    CUSTODY_API_PUBLIC_KEY: publicKey,
    CUSTODY_ORIGINS: 'https://app.acme.example',
    SMTP_URL: 'smtps://mail.acme.example',
  })
  /** Empty variables count as unset. */
  const start = (env: Record<string, string> = {}, name = 'main', args: readonly string[] = []): Program => {
    const started = runProgram(program(name), { ...good(), ...env }, args)
    running.push(started)
    return started
  }
  /** Local mode, where new keys and `/admin` are allowed. */
  const here = { CUSTODY_PUBLIC_URL: '' }
  const startAndStop = async (env: Record<string, string> = {}) => {
    const started = start(env)
    await started.ready()
    await endProgram(started)
  }
  const refused = async (env: Record<string, string>): Promise<string> => {
    const { code, output } = await start(env).ended()
    expect(code).toBe(1)
    expect(output).not.toContain(kek(1))
    expect(output).not.toContain('PRIVATE KEY')
    return output
  }

  it('custody starts under a public name with its own settings, without /admin/clock behind a plain proxy_pass', async () => {
    await start().ready()
    for (const method of ['GET', 'POST', 'DELETE'])
      expect((await throughPlainProxy(port, '/admin/clock', method)).status).toBe(404)
    expect((await fetch(`http://127.0.0.1:${port}/health`)).status).toBe(200)
  })

  it('custody serves /admin/clock on this machine to direct requests only, not through a proxy', async () => {
    await start(here).ready()
    expect((await throughPlainProxy(port, '/admin/clock')).status).toBe(200)
    for (const name of ['Via', 'Forwarded', 'X-Real-IP', 'X-Forwarded-Proto', 'X-Forwarded-Anything']) {
      const headers = { [name]: 'x' }
      expect((await fetch(`http://127.0.0.1:${port}/admin/clock`, { headers })).status, name).toBe(403)
    }
  })

  it.each([
    ['/admin on', { CUSTODY_ADMIN: 'on' }, /CUSTODY_ADMIN is on/],
    ['a key-encryption key of its own', { CUSTODY_KEK: '' }, /CUSTODY_KEK is not set/],
    ['an enclave key of its own', { CUSTODY_ENCLAVE_KEY: '' }, /CUSTODY_ENCLAVE_KEY is not set/],
    [
      'an operator key of its own',
      { CUSTODY_ORGANIZATION_ID: '', CUSTODY_API_PUBLIC_KEY: '' },
      /CUSTODY_API_PUBLIC_KEY is not set/,
    ],
    ['an enclave key that is none', { CUSTODY_ENCLAVE_KEY: 'x' }, /CUSTODY_ENCLAVE_KEY must hold a P-256 private key/],
  ])('custody does not start under a public name with %s, and writes no key', async (_, env, problem) => {
    const output = await refused(env)
    expect(output).toMatch(problem)
    expect(output).not.toMatch(/\n- /)
    for (const name of ['kek', 'enclave.pem', 'operator.json'])
      expect(existsSync(join(dataDir, 'custody', name))).toBe(false)
    // The refused starts left no trace: the right settings start.
    await start().ready()
  })

  it('custody lists all problems of a start in one message', async () => {
    await startAndStop()
    const output = await refused({ CUSTODY_ADMIN: 'on', CUSTODY_KEK: kek(2), CUSTODY_ENCLAVE_KEY: '' })
    expect(output.match(/^- /gm)).toHaveLength(3)
    for (const problem of [
      /- CUSTODY_ADMIN is on/,
      /- CUSTODY_ENCLAVE_KEY is not set, so this instance would use/,
      /- CUSTODY_KEK: the database was made with other keys/,
    ])
      expect(output).toMatch(problem)
  })

  it('custody does not start on a database with another key, also on this machine, and creates no key', async () => {
    await startAndStop(here)
    expect(await refused({ ...here, CUSTODY_KEK: kek(2) })).toMatch(/CUSTODY_KEK: the database was made with other/)
    expect(await refused({ ...here, CUSTODY_KEK: '' })).toMatch(/CUSTODY_KEK is not set, and the database/)
    expect(existsSync(join(dataDir, 'custody', 'kek'))).toBe(false)
    const output = await refused({ ...here, CUSTODY_ENCLAVE_KEY: newEnclaveKey() })
    expect(output).toMatch(/does not know this enclave key/)
    await startAndStop(here)
  })

  it('custody accepts a new enclave key once registered, and the old enclave key until retired', async () => {
    await startAndStop()
    const next = { CUSTODY_ENCLAVE_KEY: newEnclaveKey() }
    const command = (env: Record<string, string>, ...args: string[]) => start(env, 'keys-command', args).ended()
    expect((await command(next, 'retire')).output).toMatch(/does not know the enclave key of this environment/)
    expect(await command(next, 'register')).toEqual({
      code: 0,
      output: expect.stringMatching(/^Registered the enclave key/),
    })
    expect((await command(next, 'register')).output).toMatch(/^Nothing to do/)
    await startAndStop(next)
    await startAndStop()
    expect((await command(next, 'retire')).output).toMatch(/^Retired the enclave key/)
    expect(await refused({})).toMatch(/does not know this enclave key/)
    await startAndStop(next)
  })
})
