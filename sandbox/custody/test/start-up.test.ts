/** Start-up checks of the custody program on a real PostgreSQL: each problem alone, and all of them in one message. */
import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describeStartUp, IN_SANDBOX, type Place } from '@keybay/sandbox-service/testing/start-up'
import { generateP256KeyPair } from '@turnkey/crypto'
import { expect, it } from 'vitest'
import { PROGRAM } from '../src/program.js'
import { newEnclaveKey } from './keys.js'

function kek(id: number) {
  return createHash('sha256').update(`kek ${id}`).digest('base64url')
}
const enclave = newEnclaveKey()
const { publicKey } = generateP256KeyPair()
const here = { ...IN_SANDBOX, CUSTODY_PUBLIC_URL: '' }

const custody = {
  title: 'custody',
  dist: new URL('../dist/', import.meta.url),
  program: PROGRAM,
  here,
  secrets: [kek(1), 'PRIVATE KEY'],
  keyFiles: ['custody/kek', 'custody/enclave.pem', 'custody/operator.json'],
  unsafe: [
    ['weaker rate limits', { CUSTODY_LIMIT_FACTOR: '2' }, /CUSTODY_LIMIT_FACTOR is 2, which lets attackers guess/],
    ['/admin on', { CUSTODY_ADMIN: 'on' }, /CUSTODY_ADMIN is on/],
    ['plain http', { CUSTODY_PUBLIC_URL: 'http://custody.acme.example' }, /CUSTODY_PUBLIC_URL is plain http.*https:/],
    ['plain http on this machine', { CUSTODY_PUBLIC_URL: 'http://localhost:4400' }, /CUSTODY_PUBLIC_URL is plain http/],
    ['a wildcard origin', { CUSTODY_ORIGINS: 'https://*.acme.example' }, /CUSTODY_ORIGINS: https:\S+ is a wildcard/],
    ['no page’s origin', { CUSTODY_ORIGINS: 'ws://app.acme.example' }, /CUSTODY_ORIGINS: an origin is scheme, host/],
    ['any origin', { CUSTODY_ORIGINS: '*' }, /CUSTODY_ORIGINS: an origin is scheme, host and port/],
    ['an origin over http', { CUSTODY_ORIGINS: 'http://app.acme.example' }, /CUSTODY_ORIGINS: http:\S+ is plain http/],
    [
      'a key-encryption key that is not random',
      { CUSTODY_KEK: Buffer.alloc(32, 1).toString('base64url') },
      /CUSTODY_KEK has a key that is not random/,
    ],
    [
      'two commands',
      { CUSTODY_KEK_COMMAND: 'kms --key=1', KEK_COMMAND: 'kms --key=2' },
      /CUSTODY_KEK_COMMAND and KEK_COMMAND are both set, and differ/,
    ],
    ['a key-encryption key that is none', { CUSTODY_KEK: 'short' }, /CUSTODY_KEK must be 32 bytes/],
    ['an enclave key that is none', { CUSTODY_ENCLAVE_KEY: 'x' }, /CUSTODY_ENCLAVE_KEY must hold a P-256 private key/],
  ] as const,
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
    CUSTODY_TRUSTED_PROXIES: '0',
    SMTP_URL: 'smtps://mail.acme.example',
    MAIL_FROM: 'Acme <custody@acme.example>',
  }),
}

describeStartUp(custody, ({ place, start, startAndStop, refused }) => {
  it('custody lists all problems of a start in one message', async () => {
    await startAndStop()
    const output = await refused({ CUSTODY_ADMIN: 'on', CUSTODY_KEK: kek(2), CUSTODY_ENCLAVE_KEY: '' })
    expect(output.match(/^- /gm)).toHaveLength(3)
    for (const problem of [
      /- CUSTODY_ADMIN is on/,
      /- CUSTODY_ENCLAVE_KEY is not set, so this instance would use a generated key/,
      /- CUSTODY_KEK: the database was made with other keys/,
    ])
      expect(output).toMatch(problem)
  })

  it('custody starts in production with a command in place of a key, and not with a command that fails', async () => {
    const program = join(place().dataDir, 'kms.mjs')
    copyFileSync(fileURLToPath(new URL('./kms.mjs', import.meta.url)), program)
    writeFileSync(join(place().dataDir, 'keys.json'), JSON.stringify([{ id: 'first', key: 'ab'.repeat(32) }]))
    const command = { CUSTODY_KEK: '', CUSTODY_KEK_COMMAND: JSON.stringify([process.execPath, program]) }
    await startAndStop(command)
    expect(existsSync(join(place().dataDir, 'custody', 'kek'))).toBe(false)
    rmSync(program)
    expect(await refused(command)).toMatch(/CUSTODY_KEK_COMMAND ended with code 1/)
    expect(await refused({ ...command, CUSTODY_KEK_COMMAND: '[]' })).toMatch(/CUSTODY_KEK_COMMAND must be a JSON array/)
    expect(await refused({ CUSTODY_KEK: '' })).toMatch(/CUSTODY_KEK is not set/)
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
