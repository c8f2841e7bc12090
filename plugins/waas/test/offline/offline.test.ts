/** Recovery without any service: its arguments, every chain, a sweep that would move nothing, and the tool's prompts. */
import { PassThrough } from 'node:stream'
import { ed25519 } from '@noble/curves/ed25519.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { base58 } from '@scure/base'
import { addr } from 'micro-eth-signer'
import { expect, it, vi } from 'vitest'
import { readPasswords } from '../../src/cli/secret.js'
import * as mpc from '../../src/mpc/index.js'
import { keyText, recoverKey, recoverOffline, sweep } from '../../src/offline/index.js'
import vectors from '../../vectors/backup.json' with { type: 'json' }
import { getPlan, type SchemeName } from '../mpc/ceremonies.js'

/** Fast: this is not about argon2id. */
const quick: mpc.Argon2id = (password, salt) => sha256(Uint8Array.of(...password, ...salt))
const password = 'correct horse'
const solanaScalar = new Uint8Array(32).fill(9, 0, 31)

/** Deals a key, and seals the shares of these parties, each in its own envelope. */
async function seal(scheme: SchemeName, curve: mpc.Curve, scalar: Uint8Array, parties: readonly mpc.Party[]) {
  const { set, subShares } = mpc.dealScalar(getPlan(scheme, { curve }), scalar.slice())
  const envelopes = subShares
    .filter(({ to }) => parties.includes(to))
    .map(({ to: party, secret }) => mpc.sealBackup({ shares: [{ set, party, secret }], password, argon2id: quick }))
  return { set, envelopes: await Promise.all(envelopes) }
}

function toBase64(bytes: Uint8Array | string): string {
  return Buffer.from(bytes).toString('base64')
}

function recover(args: object) {
  return recoverOffline(toBase64(JSON.stringify(args)), quick)
}

const { set, envelopes } = await seal('TWO_OF_THREE', 'ed25519', solanaScalar, ['C', 'B1'])
const keyShares = envelopes.map(toBase64)

it('passwords recover the key, with a derivation path or without', async () => {
  const { accountAddress, privateKey } = await recover({ keyShares, passwords: [password] })
  expect(accountAddress).toBe(mpc.solanaAddress(set))
  expect(privateKey).toMatch(/^[0-9a-f]{64}$/)
  const again = await recover({ keyShares, derivationPath: "m/44'/501'/0'/0'", passwords: ['another', password] })
  expect(again).toEqual({ accountAddress, privateKey })
})

it('accepts key shares and a path alone, and reports that a password is needed', async () => {
  const needed = { code: 'mpc_password_empty', message: expect.stringContaining('A backup needs a password') }
  for (const more of [{ derivationPath: "m/44'/501'/0'/0'" }, {}, { passwords: [] }])
    await expect(recover({ keyShares, ...more })).rejects.toMatchObject(needed)
})

it('reports what is wrong with the key shares even without passwords', async () => {
  const [{ backup = '' } = {}] = vectors.passkeyBackups
  const underPasskey = toBase64(Buffer.from(backup, 'hex'))
  await expect(recover({ keyShares: [underPasskey] })).rejects.toMatchObject({ code: 'mpc_backup_passkey' })
  await expect(recover({ keyShares: ['AQID'] })).rejects.toMatchObject({ code: 'mpc_backup_malformed' })
  await expect(recover({ keyShares: [] })).rejects.toMatchObject({ code: 'message_malformed' })
})

it('recovers a private key in the format that other wallets import, with its addresses', async () => {
  const secret = secp256k1.utils.randomSecretKey()
  const { envelopes } = await seal('TWO_OF_THREE', 'secp256k1', secret, ['C', 'B1'])
  const recovered = await recoverKey({ envelopes, passwords: [password], argon2id: quick })
  expect(recovered.kind).toBe('private-key')
  expect(keyText(recovered)).toBe(Buffer.from(secret).toString('hex'))
  const [ethereum, bitcoin] = recovered.address.split(' or ')
  expect(ethereum).toBe(addr.fromPrivateKey(secret))
  expect(bitcoin).toMatch(/^bc1p/)
})

it('refuses a key of another chain before it tries a password, on a page that reads only Solana keys', async () => {
  const { envelopes } = await seal('TWO_OF_TWO', 'secp256k1', new Uint8Array(32).fill(7), ['C', 'R1'])
  vi.resetModules()
  const { offlineArguments, recoverOffline } = await import('../../src/offline/arguments.js')
  const never = () => {
    throw new Error('a password was tried')
  }
  const base64Args = offlineArguments({ keyShares: envelopes.map(toBase64), passwords: [password] })
  await expect(recoverOffline(base64Args, never)).rejects.toMatchObject({
    code: 'mpc_curve_unknown',
    message: expect.stringContaining('The key belongs to another chain. Name its chain'),
  })
})

// That a sweep moves everything is seen on the chain: `sandbox/frame/test/disaster.test.ts`.
it('refuses to sweep to the wallet’s own address, and calls no node', async () => {
  const { Point } = ed25519
  const to = base58.encode(Point.BASE.multiply(Point.Fn.fromBytes(solanaScalar)).toBytes())
  const rpc = vi.fn()
  await expect(sweep({ scalar: solanaScalar, to, rpc })).rejects.toThrow('the wallet’s own address')
  expect(rpc).not.toHaveBeenCalled()
})

/** @param isTTY a keyboard; else a pipe */
function terminal(isTTY: boolean) {
  const raw: boolean[] = []
  const output = new PassThrough()
  const input = Object.assign(new PassThrough(), { isTTY, setRawMode: (on: boolean) => raw.push(on) })
  return { terminal: { input, output }, input, raw, said: () => String(output.read() ?? '') }
}

it('reads passwords from a pipe, one password per line', async () => {
  const { terminal: piped, input } = terminal(false)
  input.end('correct horse\n\nbattery staple')
  expect(await readPasswords(piped)).toEqual(['correct horse', 'battery staple'])
})

it('reads passwords at a keyboard without echo, until an empty line', async () => {
  const { terminal: keyboard, input, raw, said } = terminal(true)
  const reading = readPasswords(keyboard)
  input.write('correkt\u007f\u007fct horse\r')
  input.write('other\n')
  input.write('\r')
  expect(await reading).toEqual(['correct horse', 'other'])
  expect(said()).not.toContain('horse')
  expect(raw).toEqual([true, false, true, false, true, false])
})

it('reports that no password was given, instead of what is missing in the files', async () => {
  const empty = terminal(false)
  empty.input.end()
  await expect(readPasswords(empty.terminal)).rejects.toThrow('No password given')
  const { terminal: keyboard, input } = terminal(true)
  const reading = readPasswords(keyboard)
  input.write('\r')
  await expect(reading).rejects.toThrow('No password given')
})

it('stops reading passwords at Ctrl-C, and restores the terminal', async () => {
  const { terminal: keyboard, input, raw } = terminal(true)
  const reading = readPasswords(keyboard)
  input.write('\u0003')
  await expect(reading).rejects.toThrow('Stopped.')
  expect(raw).toEqual([true, false])
})
