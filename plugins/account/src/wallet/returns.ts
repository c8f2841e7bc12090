/**
 * Wallets that are reached by leaving the page: what a signature will prove is stored first, and taken once by whichever page
 * has it, the one that asked or the one that comes back.
 */

import type { Kernel } from '@keybay/kernel'
import { equalBytes, fromBase64, toBase64 } from '@keybay/kernel/spec'
import { isObject, number, shape, text } from '../parse/check.js'
import type { WalletProof } from './sign.js'

/** What the proof lacks is the signature. None of it is secret: the nonce serves only with the key that it was asked with. */
export interface Expected {
  readonly connectorId: string
  readonly address: string
  /** base64 */
  readonly message: string
  readonly nonceId: string
  readonly walletName: string
}
export interface Returns {
  /** The user leaves to connect, and wants to sign in. */
  begin(connectorId: string): Promise<void>
  /** Read once, cleared. */
  began(connectorId: string): Promise<boolean>
  expect(expected: Expected): Promise<void>
  /** Read once, cleared. */
  take(connectorId: string): Promise<Expected | undefined>
}
const KEY = 'account:wallet-proof'
const ENTRY = 'account:wallet-entry'
/** After this long nobody waits for the wallet any more, ms; the kernel forgets the trip itself after as long. */
const OLDEST_MS = 3_600_000
const isEntry = shape<{ readonly connectorId: string; readonly at: number }>({ connectorId: text, at: number })
const isExpected = shape<Expected>({ connectorId: text, address: text, message: text, nonceId: text, walletName: text })

export function createReturns({ storage, clock }: Pick<Kernel, 'storage' | 'clock'>): Returns {
  return {
    begin: connectorId => storage.set(ENTRY, { connectorId, at: clock.now() }),
    async began(connectorId) {
      const found = await storage.get(ENTRY)
      await storage.remove(ENTRY)
      return isEntry(found) && found.connectorId === connectorId && clock.now() - found.at < OLDEST_MS
    },
    expect: expected => storage.set(KEY, expected),
    async take(connectorId) {
      const read = async () => {
        const found = await storage.get(KEY)
        if (!isExpected(found) || found.connectorId !== connectorId) return undefined
        await storage.remove(KEY)
        return found
      }
      // One at a time: where the wallet opens a new tab, two pages hear of the same signature.
      return navigator.locks ? navigator.locks.request(`keybay:${KEY}`, read) : read()
    },
  }
}

/** @returns undefined when it is not the signature that was asked for */
export function proofOf(result: unknown, { address, message }: Expected): WalletProof | undefined {
  const [output]: readonly unknown[] = Array.isArray(result) ? result : []
  const { signedMessage, signature } = isObject(output) ? output : {}
  if (!(signedMessage instanceof Uint8Array) || !(signature instanceof Uint8Array) || signature.length !== 64)
    return undefined
  const same = equalBytes(signedMessage, fromBase64(message))
  return same ? { type: 'message', address, message, signature: toBase64(signature) } : undefined
}
