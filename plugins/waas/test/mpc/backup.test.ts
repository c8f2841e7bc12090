/** The envelope: what it holds, who can open it, and every way of weakening it. `BACKUP.md` describes the same bytes. */
import { createDecipheriv, hkdfSync } from 'node:crypto'
import { argon2id } from '@noble/hashes/argon2.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { describe, expect, it } from 'vitest'
import * as mpc from '../../src/mpc/index.js'
import vectors from '../../vectors/backup.json' with { type: 'json' }
import {
  accepted,
  blames,
  fresh,
  generate,
  getPlan,
  getSet,
  getShare,
  hex,
  rejects,
  reshare,
  take,
  text,
  thrown,
  toHex,
} from './ceremonies.js'

/** Fast, for what is not about argon2id: a hash of all that goes into it. */
const quick: mpc.Argon2id = (password, salt, { memoryKiB, iterations, parallelism }) =>
  sha256(Uint8Array.of(...password, ...salt, ...text(`${memoryKiB} ${iterations} ${parallelism}`)))
const never: mpc.Argon2id = () => {
  throw new Error('derived')
}
const password = 'correct horse battery staple'

const plan = getPlan('THREE_OF_FIVE')
const deal = mpc.dealImported(plan, fresh(32))
const shares = accepted(plan, deal)
const both = [getShare(shares, 'B1'), getShare(shares, 'B2')]

function sealed() {
  return mpc.sealBackup({ shares: both, sealedSeed: deal.sealedSeed, password, argon2id: quick })
}

async function failure(act: Promise<unknown>): Promise<unknown> {
  return act.then(
    () => undefined,
    error => error,
  )
}

const START = 12

function getHeader(backup: Uint8Array): string {
  return new TextDecoder().decode(backup.slice(START, START + new DataView(backup.buffer).getUint32(8)))
}
/** The same envelope with another header. */
function withHeader(backup: Uint8Array, header: string): Uint8Array {
  const bytes = text(header)
  const length = new Uint8Array(4)
  new DataView(length.buffer).setUint32(0, bytes.length)
  return Uint8Array.of(
    ...backup.slice(0, 8),
    ...length,
    ...bytes,
    ...backup.slice(START + text(getHeader(backup)).length),
  )
}

/** The same envelope with other words in its header. */
function altered(backup: Uint8Array, was: string, is: string): Uint8Array {
  const header = getHeader(backup)
  expect(header).toContain(was)
  return withHeader(backup, header.replace(was, is))
}

describe('a backup', () => {
  it('a backup opens with its password, and recovers the key with the seed and a relay’s share', async () => {
    const opened = await mpc.openBackup(await sealed(), password, quick)
    expect(opened.shares).toEqual(both)
    expect(opened.header).toMatchObject({
      walletId: 'wallet-1',
      parties: ['B1', 'B2'],
      address: mpc.solanaAddress(getSet(shares)),
    })
    const key = mpc.exportSolanaKey([...opened.shares, getShare(shares, 'R1')], take(opened.sealedSeed))
    expect(mpc.encodeSolanaKey(key).length).toBeGreaterThan(80)
  })
  it('a backup uses argon2id at the floor, in JavaScript, by default', async () => {
    const share = getShare(generate(getPlan('TWO_OF_THREE')), 'B1')
    const backup = await mpc.sealBackup({ shares: [share], password })
    expect(mpc.readBackupHeader(backup).kdf).toMatchObject({ memoryKiB: 65536, iterations: 3, parallelism: 1 })
    expect((await mpc.openBackup(backup, password)).shares).toEqual([share])
    await rejects(mpc.openBackup(backup, 'wrong'), mpc.backupUnreadable, 'backup')
  }, 30_000)
  it('a backup shows the same header without the password, and nothing secret', async () => {
    const backup = await sealed()
    const header = mpc.readBackupHeader(backup)
    expect(header.set).toEqual(getSet(shares))
    const all = Buffer.from(backup).toString('hex')
    for (const { secret } of both) expect(all).not.toContain(toHex(secret))
  })
  it('a backup has a fresh salt and nonce each time', async () => {
    const [one, two] = [mpc.readBackupHeader(await sealed()), mpc.readBackupHeader(await sealed())]
    expect(toHex(one.kdf.salt)).not.toBe(toHex(two.kdf.salt))
    expect(toHex(one.nonce)).not.toBe(toHex(two.nonce))
  })
  it('a backup of secp256k1 shares opens', async () => {
    const other = generate(getPlan('TWO_OF_THREE', { curve: 'secp256k1' }))
    const backup = await mpc.sealBackup({ shares: [getShare(other, 'B1')], password, argon2id: quick })
    const opened = await mpc.openBackup(backup, password, quick)
    expect(opened.shares).toEqual([getShare(other, 'B1')])
    expect(opened.sealedSeed).toBeUndefined()
  })
  it('a backup opens with every Unicode form of its password', async () => {
    const backup = await mpc.sealBackup({ shares: both, password: 'caf\u00e9', argon2id: quick })
    expect((await mpc.openBackup(backup, 'cafe\u0301', quick)).shares).toHaveLength(2)
  })
})

describe('a refused backup', () => {
  it('refuses a backup with a wrong password', async () => {
    for (const wrong of ['', 'wrong', `${password} `])
      await rejects(mpc.openBackup(await sealed(), wrong, quick), mpc.backupUnreadable, 'backup')
  })
  it('refuses a backup with any byte changed, added or cut off', async () => {
    const backup = await sealed()
    const codes = [mpc.backupMalformed.code, mpc.backupUnreadable.code, mpc.backupParameters.code]
    const changed = Array.from(backup, (_, i) => backup.map((byte, k) => (k === i ? byte ^ 1 : byte)))
    const cut = [0, 7, 8, 11, 12, 100, backup.length - 1].map(length => backup.slice(0, length))
    for (const other of [...changed, ...cut])
      await expect(mpc.openBackup(other, password, quick)).rejects.toMatchObject({
        code: expect.toSatisfy(code => codes.includes(code)),
      })
    await rejects(mpc.openBackup(Uint8Array.of(...backup, 0), password, quick), mpc.backupUnreadable, 'backup')
  })
  it('refuses a backup with a well-formed header that states other facts', async () => {
    const backup = await sealed()
    for (const [was, is] of [
      ['"walletId":"wallet-1"', '"walletId":"wallet-2"'],
      ['"setId":"primary"', '"setId":"phone"'],
      ['"epoch":0', '"epoch":1'],
      ['"shares":["B1","B2"]', '"shares":["B1"]'],
      ['"shares":["B1","B2"]', '"shares":["C","B2"]'],
      ['"iterations":3', '"iterations":4'],
      ['"memoryKiB":65536', '"memoryKiB":65537'],
    ] as const)
      await rejects(mpc.openBackup(altered(backup, was, is), password, quick), mpc.backupUnreadable, 'backup')
  })
  it('refuses a backup with parameters below the floor or above the ceiling, and derives nothing', async () => {
    const backup = await sealed()
    const out = blames(mpc.backupParameters, 'backup')
    for (const [was, is] of [
      ['"memoryKiB":65536', '"memoryKiB":65535'],
      ['"memoryKiB":65536', '"memoryKiB":8'],
      ['"memoryKiB":65536', '"memoryKiB":262145'],
      ['"iterations":3', '"iterations":2'],
      ['"iterations":3', '"iterations":11'],
      ['"parallelism":1', '"parallelism":0'],
      ['"parallelism":1', '"parallelism":5'],
    ] as const) {
      const changed = altered(backup, was, is)
      expect(thrown(() => mpc.readBackupHeader(changed))).toEqual(out)
      expect(await failure(mpc.openBackup(changed, password, never))).toEqual(out)
    }
    for (const kdf of [
      { ...mpc.KDF_FLOOR, iterations: 1 },
      { ...mpc.KDF_FLOOR, memoryKiB: Number.NaN },
      { ...mpc.KDF_CEILING, memoryKiB: 2 ** 21 },
    ])
      expect(await failure(mpc.sealBackup({ shares: both, password, kdf, argon2id: never }))).toEqual(out)
  })
  it('refuses a backup with its header in another text, an unknown field, or another algorithm or version', async () => {
    const backup = await sealed()
    const header = getHeader(backup)
    const malformed = blames(mpc.backupMalformed, 'backup')
    for (const other of [
      header.replace('{', '{ '),
      header.replace('}', ',"more":1}'),
      header.replace('"epoch":0,', ''),
      header.replace('"epoch":0', '"epoch":0,"epoch":0'),
      header.replace('"epoch":0', '"epoch":0.0'),
      header.replace('argon2id', 'argon2d'),
      header.replace('AES-256-GCM', 'AES-128-GCM'),
      header.replace('"version":1', '"version":2'),
      header.replace('"threshold":3', '"threshold":2'),
      header.replace(/"address":"./, '"address":"X'),
      header.replace('"shares":["B1","B2"]', '"shares":["B2","B1"]'),
      header.replace('"shares":["B1","B2"]', '"shares":["B1","B1"]'),
      header.replace('"shares":["B1","B2"]', '"shares":[]'),
      header.replace(/"commitments":\["[0-9a-f]{64}/, `"commitments":["${'00'.repeat(32)}`),
      header.replace(/"commitments":\["([0-9a-f]{64})/, (_, key: string) => `"commitments":["${key.toUpperCase()}`),
      '',
      'null',
      '[]',
      '{}',
    ]) {
      expect(other).not.toBe(header)
      expect(await failure(mpc.openBackup(withHeader(backup, other), password, never))).toEqual(malformed)
    }
    const invalidUtf8 = backup.slice()
    invalidUtf8[START + 5] = 0xff
    expect(await failure(mpc.openBackup(invalidUtf8, password, never))).toEqual(malformed)
    expect(await failure(mpc.openBackup(new Uint8Array(20_000), password, never))).toEqual(malformed)
  })
  it('refuses to create a backup without a password or shares, of two sets, or with a broken share', async () => {
    const seal = (input: Partial<mpc.BackupInput>) =>
      failure(mpc.sealBackup({ shares: both, password, argon2id: quick, ...input }))
    expect(await seal({ password: '' })).toEqual(blames(mpc.passwordEmpty, 'backup'))
    expect(await seal({ shares: [] })).toEqual(blames(mpc.sharesMissing, 'backup'))
    expect(await seal({ shares: [take(both[0]), take(both[0])] })).toEqual(blames(mpc.sharesMissing, 'backup'))
    const next = reshare(shares, ['C', 'R1', 'R2'], getPlan('THREE_OF_FIVE', { epoch: 1 }))
    expect(await seal({ shares: [take(both[0]), getShare(next, 'B2')] })).toEqual(blames(mpc.setsMixed, 'backup', 'B2'))
    const broken = { ...take(both[0]), secret: take(both[1]).secret }
    expect(await seal({ shares: [broken] })).toEqual(blames(mpc.shareInvalid, 'backup', 'B1'))
  })
})

describe('a backup under a passkey', () => {
  const passkey = { rpId: 'wallet.example.com', credentialId: 'Y3JlZGVudGlhbA', input: fresh(32), output: fresh(32) }
  const locked = () => mpc.sealBackup({ shares: both, password: passkey, argon2id: never })

  it('a passkey backup opens with that passkey’s output, and names the passkey and its input', async () => {
    const backup = await locked()
    const { output, ...name } = passkey
    expect(mpc.readBackupHeader(backup)).toMatchObject({ version: 2, kdf: { name: 'webauthn-prf', ...name } })
    expect(Buffer.from(backup).toString('hex')).not.toContain(toHex(output))
    expect((await mpc.openBackup(backup, passkey, never)).shares).toEqual(both)
    // Another key for each file, though the passkey answers the same.
    expect(mpc.readBackupHeader(await locked()).kdf.salt).not.toEqual(mpc.readBackupHeader(backup).kdf.salt)
  })
  it('a passkey backup opens with no other passkey or text, and a password backup opens with no passkey', async () => {
    const backup = await locked()
    const other = { ...passkey, output: fresh(32) }
    await rejects(mpc.openBackup(backup, other, never), mpc.backupUnreadable, 'backup')
    await rejects(mpc.openBackup(backup, password, never), mpc.backupPasskey, 'backup')
    await rejects(mpc.openBackup(await sealed(), passkey, never), mpc.backupUnreadable, 'backup')
  })
  it('refuses a passkey backup with a changed header, a header of the other version, or another text of the header', async () => {
    const backup = await locked()
    const text = getHeader(backup)
    for (const [was, is] of [
      ['"rpId":"wallet.', '"rpId":"evil.'],
      ['"credentialId":"Y', '"credentialId":"X'],
      ['"epoch":0', '"epoch":1'],
    ] as const)
      await rejects(mpc.openBackup(altered(backup, was, is), passkey, never), mpc.backupUnreadable, 'backup')
    for (const other of [
      text.replace('"version":2', '"version":1'),
      text.replace('"version":2', '"version":3'),
      text.replace('webauthn-prf', 'argon2id'),
      text.replace('"rpId":"wallet.example.com"', '"rpId":""'),
      text.replace('"rpId":"wallet.', '"rpId":"Wallet.'),
      text.replace('"credentialId":"', '"credentialId":"='),
      text.replace('"input":"', '"input":"00'),
      text.replace('"name":"webauthn-prf",', ''),
      text.replace('"name":"webauthn-prf",', '"name":"webauthn-prf","more":1,'),
    ]) {
      expect(other).not.toBe(text)
      await rejects(mpc.openBackup(withHeader(backup, other), passkey, never), mpc.backupMalformed, 'backup')
    }
  })
  it('refuses to create a passkey backup from an output of another length, or for a passkey no header can name', async () => {
    const seal = (change: Partial<mpc.PasskeySecret>) =>
      failure(mpc.sealBackup({ shares: both, password: { ...passkey, ...change }, argon2id: never }))
    expect(await seal({ output: fresh(31) })).toEqual(blames(mpc.passwordEmpty, 'backup'))
    expect(await seal({ rpId: 'not a domain' })).toEqual(blames(mpc.backupMalformed, 'backup'))
    expect(await seal({ input: fresh(16) })).toEqual(blames(mpc.backupMalformed, 'backup'))
  })
})

describe('the backup vectors', () => {
  for (const vector of vectors.backups)
    it(`${vector.name}: writes and reads the backup vector as recorded`, async () => {
      const draws = [hex(vector.salt), hex(vector.nonce)]
      const keyShares = vector.shares.map(share => mpc.decode(mpc.codecs.keyShare, hex(share)))
      const backup = await mpc.sealBackup({
        shares: keyShares,
        ...(vector.sealedSeed && { sealedSeed: hex(vector.sealedSeed) }),
        password: vector.password,
        kdf: vector.kdf,
        random: () => take(draws.shift()),
      })
      expect(toHex(backup)).toBe(vector.backup)
      expect((await mpc.openBackup(hex(vector.backup), vector.password)).shares).toEqual(keyShares)
    }, 30_000)
  for (const vector of vectors.passkeyBackups)
    it(`${vector.name}: writes and reads the backup vector, which opens by the description alone`, async () => {
      const { rpId, credentialId, input, output } = vector.passkey
      const passkey = { rpId, credentialId, input: hex(input), output: hex(output) }
      const draws = [hex(vector.salt), hex(vector.nonce)]
      const keyShares = vector.shares.map(share => mpc.decode(mpc.codecs.keyShare, hex(share)))
      const sealedSeed = hex(vector.sealedSeed)
      const random = () => take(draws.shift())
      const backup = await mpc.sealBackup({ shares: keyShares, sealedSeed, password: passkey, random })
      expect(toHex(backup)).toBe(vector.backup)
      expect((await mpc.openBackup(backup, passkey)).shares).toEqual(keyShares)
      const { salt = '', walletId = '' } = { ...JSON.parse(getHeader(backup)), ...JSON.parse(getHeader(backup)).kdf }
      const key = hkdfSync('sha256', hex(output), hex(salt), `keybay/backup/prf/1/${walletId}`, 32)
      const end = backup.length - 16
      const start = START + text(getHeader(backup)).length
      const cipher = createDecipheriv('aes-256-gcm', new Uint8Array(key), hex(vector.nonce))
      cipher.setAAD(backup.subarray(0, start)).setAuthTag(backup.subarray(end))
      const inside = Buffer.concat([cipher.update(backup.subarray(start, end)), cipher.final()])
      expect(inside.subarray(3, 35).toString('hex')).toBe(take(vector.shares[0]).slice(-64))
    })
  it('a backup vector opens by the description alone, without this code', () => {
    const vector = take(vectors.backups[0])
    const backup = Buffer.from(vector.backup, 'hex')
    const end = 12 + backup.readUInt32BE(8)
    const header = JSON.parse(backup.subarray(12, end).toString())
    const { memoryKiB: m, iterations: t, parallelism: p, salt } = header.kdf
    const key = argon2id(vector.password.normalize('NFKC'), hex(salt), { m, t, p, dkLen: 32 })
    const cipher = createDecipheriv('aes-256-gcm', key, hex(header.cipher.nonce))
    cipher.setAAD(backup.subarray(0, end)).setAuthTag(backup.subarray(-16))
    const inside = Buffer.concat([cipher.update(backup.subarray(end, -16)), cipher.final()])
    expect(inside.subarray(0, 3).toString('hex')).toBe('013201')
    expect(inside.subarray(3, 35).toString('hex')).toBe(take(vector.shares[0]).slice(-64))
  }, 30_000)
})
