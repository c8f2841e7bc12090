import { createHash, createPrivateKey, createPublicKey, sign } from 'node:crypto'
import bs58 from 'bs58'
import { SYSTEM_PROGRAM } from './programs.js'

export const LAMPORTS_PER_SOL = 1_000_000_000

/** Initial faucet balance in lamports: 5,000,000 SOL, so that every balance stays an exact integer in JSON. */
export const FAUCET_LAMPORTS: bigint = 5_000_000n * BigInt(LAMPORTS_PER_SOL)

/** Public seed: the chain is for testing, and the faucet must keep its address after a restart. */
const SEED = createHash('sha256').update('keybay sandbox faucet').digest()
const PKCS8_ED25519 = Buffer.from('302e020100300506032b657004220420', 'hex')
const privateKey = createPrivateKey({ key: Buffer.concat([PKCS8_ED25519, SEED]), format: 'der', type: 'pkcs8' })
const publicKey = createPublicKey(privateKey).export({ format: 'der', type: 'spki' }).subarray(-32)

export const FAUCET_ADDRESS: string = bs58.encode(publicKey)

const TRANSFER = 2

/** Returns the wire bytes of a signed transfer from the faucet. `lamports`: at most the faucet's balance. */
export function faucetTransfer(recipient: string, lamports: number, blockhash: string): Buffer {
  const data = Buffer.alloc(12)
  data.writeUInt32LE(TRANSFER, 0)
  data.writeBigUInt64LE(BigInt(lamports), 4)
  return signByFaucet([1, 0, 1], [recipient, SYSTEM_PROGRAM], blockhash, [{ program: 2, accounts: [0, 1], data }])
}

export interface FaucetInstruction {
  /** Positions: the faucet is 0, the other keys start at 1. */
  readonly program: number
  readonly accounts: readonly number[]
  readonly data: Uint8Array
}

/** Builds a legacy transaction paid and signed by the faucet alone. `header`: the message header's three counts. */
export function signByFaucet(
  header: readonly [number, number, number],
  keys: readonly string[],
  blockhash: string,
  instructions: readonly FaucetInstruction[],
): Buffer {
  const message = Buffer.concat([
    Buffer.from([...header, keys.length + 1]),
    publicKey,
    ...keys.map(key => bs58.decode(key)),
    bs58.decode(blockhash),
    Buffer.from([instructions.length]),
    ...instructions.map(({ program, accounts, data }) =>
      Buffer.concat([Buffer.from([program, accounts.length, ...accounts, data.length]), data]),
    ),
  ])
  return Buffer.concat([Buffer.from([1]), sign(null, message, privateKey), message])
}
