/** Start-up checks of the custody program on a real PostgreSQL: each problem alone, and all of them in one message. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describeStartUp, type Place } from '@keybay/sandbox-service/testing/start-up'
import { generateP256KeyPair } from '@turnkey/crypto'
import { expect, it } from 'vitest'
import { newEnclaveKey } from './keys.js'

function kek(byte: number) {
  return Buffer.alloc(32, byte).toString('base64url')
}
const enclave = newEnclaveKey()
const { publicKey } = generateP256KeyPair()
const here = { CUSTODY_PUBLIC_URL: '' }

const custody = {
  title: 'custody',
  dist: new URL('../dist/', import.meta.url),
  here,
  secrets: [kek(1), 'PRIVATE KEY'],
  good: ({ dataDir, port, databaseUrl }: Place) => ({
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
  }),
}

describeStartUp(custody, ({ place, start, startAndStop, refused }) => {
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
      expect(existsSync(join(place().dataDir, 'custody', name))).toBe(false)
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
    expect(existsSync(join(place().dataDir, 'custody', 'kek'))).toBe(false)
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
