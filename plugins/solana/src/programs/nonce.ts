/** Durable nonce: version, state (1: in use), authority, value (solana-nonce, versions.rs). */
import bs58 from 'bs58'
import { SYSTEM_PROGRAM } from './addresses.js'
import { reader } from './bytes.js'
import type { ChainAccount } from './token.js'

export interface Nonce {
  readonly authority: string
  /** Replaces the blockhash. */
  readonly value: string
}
/** Undefined if it is not a nonce account, or not in use. */
export function readNonce(account: ChainAccount | undefined): Nonce | undefined {
  if (account?.owner !== SYSTEM_PROGRAM) return undefined
  const read = reader(account.data)
  const [authority, value] = [read.slice(8, 32), read.slice(40, 32)]
  if (read.u32(4) !== 1 || !authority || !value) return undefined
  return { authority: bs58.encode(authority), value: bs58.encode(value) }
}
