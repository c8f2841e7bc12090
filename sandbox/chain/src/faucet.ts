import { createHash, createPrivateKey, createPublicKey, sign } from 'node:crypto'
import bs58 from 'bs58'
import { SYSTEM_PROGRAM } from './programs.js'

export const LAMPORTS_PER_SOL = 1_000_000_000

/** What the faucet holds at the start, in lamports: 5,000,000 SOL, so that no balance leaves the exact integers of JSON. */
export const FAUCET_LAMPORTS: bigint = 5_000_000n * BigInt(LAMPORTS_PER_SOL)

/** A key that everyone may know: the chain is for play, and the same faucet is found again after a restart. */
const SEED = createHash('sha256').update('keybay sandbox faucet').digest()
const PKCS8_ED25519 = Buffer.from('302e020100300506032b657004220420', 'hex')
const privateKey = createPrivateKey({ key: Buffer.concat([PKCS8_ED25519, SEED]), format: 'der', type: 'pkcs8' })
const publicKey = createPublicKey(privateKey).export({ format: 'der', type: 'spki' }).subarray(-32)

export const FAUCET_ADDRESS: string = bs58.encode(publicKey)

const TRANSFER = 2

/** A signed transfer from the faucet, in wire bytes. `lamports`: at most what the faucet holds. */
export function faucetTransfer(recipient: string, lamports: number, blockhash: string): Buffer {
  const data = Buffer.alloc(12)
  data.writeUInt32LE(TRANSFER, 0)
  data.writeBigUInt64LE(BigInt(lamports), 4)
  return signByFaucet([1, 0, 1], [recipient, SYSTEM_PROGRAM], blockhash, [{ program: 2, accounts: [0, 1], data }])
}

export interface FaucetInstruction {
  /** Positions among the faucet (0) and the other keys (from 1 on). */
  readonly program: number
  readonly accounts: readonly number[]
  readonly data: Uint8Array
}

/** A legacy transaction that the faucet pays for and alone signs. `header`: the three counts of the message header. */
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
