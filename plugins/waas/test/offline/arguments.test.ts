/** The arguments of an offline export, as the specification sends them: passwords are ours, and may be missing. */
import type { OfflineExportPrivateKeyArguments } from '@keybay/kernel/spec'
import { sha256 } from '@noble/hashes/sha2.js'
import { beforeAll, expect, it } from 'vitest'
import * as mpc from '../../src/mpc/index.js'
import { recoverOffline } from '../../src/offline/index.js'
import vectors from '../../vectors/backup.json' with { type: 'json' }
import { getPlan } from '../mpc/ceremonies.js'

/** Fast: this is not about argon2id. */
const quick: mpc.Argon2id = (password, salt) => sha256(Uint8Array.of(...password, ...salt))
const password = 'correct horse'
const { set, subShares } = mpc.dealScalar(getPlan('TWO_OF_THREE'), new Uint8Array(32).fill(9, 0, 31))
let keyShares: readonly string[] = []
beforeAll(async () => {
  const two = subShares.filter(({ to }) => to === 'C' || to === 'B1')
  const sealed = two.map(({ to, secret }) =>
    mpc.sealBackup({ shares: [{ set, party: to, secret }], password, argon2id: quick }),
  )
  keyShares = (await Promise.all(sealed)).map(bytes => Buffer.from(bytes).toString('base64'))
})

function recover(given: OfflineExportPrivateKeyArguments) {
  return recoverOffline(Buffer.from(JSON.stringify(given)).toString('base64'), quick)
}

it('passwords recover the key, with a derivation path or without', async () => {
  const { accountAddress, privateKey } = await recover({ keyShares, passwords: [password] })
  expect(accountAddress).toBe(mpc.solanaAddress(set))
  expect(privateKey).toMatch(/^[0-9a-f]{64}$/)
  const again = await recover({ keyShares, derivationPath: "m/44'/501'/0'/0'", passwords: ['another', password] })
  expect(again).toEqual({ accountAddress, privateKey })
})

it('accepts key shares and a path alone, and reports that a password is needed', async () => {
  const needed = { code: 'mpc_password_empty', message: expect.stringContaining('A backup needs a password') }
  await expect(recover({ keyShares, derivationPath: "m/44'/501'/0'/0'" })).rejects.toMatchObject(needed)
  await expect(recover({ keyShares })).rejects.toMatchObject(needed)
  await expect(recover({ keyShares, passwords: [] })).rejects.toMatchObject(needed)
})

it('reports what is wrong with the key shares even without passwords', async () => {
  const [{ backup = '' } = {}] = vectors.passkeyBackups
  const underPasskey = Buffer.from(backup, 'hex').toString('base64')
  await expect(recover({ keyShares: [underPasskey] })).rejects.toMatchObject({ code: 'mpc_backup_passkey' })
  await expect(recover({ keyShares: ['AQID'] })).rejects.toMatchObject({ code: 'mpc_backup_malformed' })
  await expect(recover({ keyShares: [] })).rejects.toMatchObject({ code: 'message_malformed' })
})
