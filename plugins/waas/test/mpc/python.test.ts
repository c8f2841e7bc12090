/** An independent reader: BACKUP.md in Python, with Debian's cryptography. Refuses altered backups. */
import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { dealScalar, enableSecp256k1, readBackupHeader, SCHEMES, sealBackup } from '../../src/mpc/index.js'
import { type Question, readInPython } from '../python/python.js'

interface Vector {
  readonly name: string
  readonly password: string
  readonly shares: readonly string[]
  /** Empty where there is none. */
  readonly sealedSeed: string
  readonly backup: string
}
interface PasskeyVector extends Omit<Vector, 'password'> {
  readonly passkey: { readonly output: string }
}
const {
  backups,
  passkeyBackups,
}: { readonly backups: readonly Vector[]; readonly passkeyBackups: readonly PasskeyVector[] } = JSON.parse(
  readFileSync(new URL('../../vectors/backup.json', import.meta.url), 'utf8'),
)

function fromHex(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, 'hex'))
}
enableSecp256k1()

describe('a reader in Python', () => {
  const password = 'Pässwort ﬁ'
  let sealed: Uint8Array
  let secret = ''
  beforeAll(async () => {
    const ids = { walletId: 'w-1', setId: 's-1', ceremonyId: 'c-1' }
    const plan = { ...SCHEMES.TWO_OF_THREE, ...ids, epoch: 0, curve: 'ed25519' } as const
    const { set, subShares } = dealScalar(plan, new Uint8Array(32).fill(9, 0, 31))
    const [b1] = subShares.filter(({ to }) => to === 'B1')
    if (!b1) throw new Error('2/3 has a backup')
    secret = Buffer.from(b1.secret).toString('hex')
    sealed = await sealBackup({ shares: [{ set, party: 'B1', secret: b1.secret }], password })
  }, 60_000)

  it('a Python reader opens every backup vector, and fresh backups', async () => {
    const inputs = [
      ...backups.map(({ backup, password }) => ({ backup: fromHex(backup), password })),
      ...passkeyBackups.map(({ backup, passkey }) => ({ backup: fromHex(backup), output: passkey.output })),
    ]
    const answers = await readInPython([...inputs, { backup: sealed, password }])
    const vectors = [...backups, ...passkeyBackups]
    vectors.forEach((vector, index) => {
      const { error, header, shares, sealedSeed } = answers[index] ?? {}
      expect(error, vector.name).toBeUndefined()
      expect(header?.address).toBe(readBackupHeader(fromHex(vector.backup)).address)
      // A share's last 32 bytes are its scalar.
      expect(Object.values(shares ?? {})).toEqual(vector.shares.map(text => text.slice(-64)))
      expect(sealedSeed ?? '').toBe(vector.sealedSeed)
    })
    // The password is normalised: a ligature equals two letters.
    expect(answers.at(-1)).toMatchObject({ header: { epoch: 0 }, shares: { B1: secret }, sealedSeed: null })
  }, 120_000)

  it('a Python reader refuses altered, weakened and swapped backups like our reader', async () => {
    const text = (change: (header: string) => string, file = sealed): Uint8Array => {
      const whole = Buffer.from(file)
      const length = whole.readUInt32BE(8)
      const header = Buffer.from(change(whole.subarray(12, 12 + length).toString()))
      const size = Buffer.alloc(4)
      size.writeUInt32BE(header.length)
      return Buffer.concat([whole.subarray(0, 8), size, header, whole.subarray(12 + length)])
    }
    const flipped = Buffer.from(sealed)
    flipped.writeUInt8(flipped.readUInt8(flipped.length - 20) ^ 1, flipped.length - 20)
    const [{ backup = '', passkey } = {}] = passkeyBackups
    const locked = fromHex(backup)
    const output = passkey?.output ?? ''
    const other = Buffer.from(output, 'hex').reverse().toString('hex')
    const altered: readonly (readonly [Uint8Array, RegExp, Omit<Question, 'backup'>?])[] = [
      [sealed, /wrong password/, { password: 'another password' }],
      [flipped, /changed byte/],
      [sealed.slice(0, -1), /changed byte/],
      [sealed.slice(0, 40), /cut off/],
      [text(header => header.replace('"epoch":0', '"epoch":1')), /changed byte/],
      [text(header => header.replace('"memoryKiB":65536', '"memoryKiB":8')), /out of bounds/],
      [text(header => header.replace('"iterations":3', '"iterations":1')), /out of bounds/],
      [text(header => header.replace('"iterations":3', '"iterations":4')), /changed byte/],
      [text(header => header.replace('{"version":1', '{ "version":1')), /written another way/],
      [text(header => header.replace('{"version":1', '{"version":1,"version":1')), /twice/],
      [text(header => header.replace('"shares":["B1"]', '"shares":["C"]')), /changed byte/],
      [new TextEncoder().encode('nothing of ours'), /no Keybay backup/],
      [locked, /passkey/],
      [locked, /changed byte/, { output: other }],
      [text(header => header.replace('"epoch":0', '"epoch":1'), locked), /changed byte/, { output }],
      [text(header => header.replace('"rpId":"wallet.', '"rpId":"evil.'), locked), /changed byte/, { output }],
      [text(header => header.replace('"version":2', '"version":1'), locked), /other algorithms/, { output }],
      [text(header => header.replace('"version":1', '"version":2')), /other algorithms/],
    ]
    const answers = await readInPython(altered.map(([backup, , opens = { password }]) => ({ backup, ...opens })))
    altered.forEach(([, errorPattern], index) => {
      expect(answers[index]?.error, String(errorPattern)).toMatch(errorPattern)
      expect(answers[index]).not.toHaveProperty('shares')
    })
  }, 120_000)
})
