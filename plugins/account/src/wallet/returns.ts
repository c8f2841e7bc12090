/**
 * Sign-in with wallets that the user leaves the page for. The proof without its signature is stored first, and read
 * once: by the page that left or by the one that returns.
 */
import type { Kernel } from '@keybay/kernel'
import { equalBytes, fromBase64, toBase64 } from '@keybay/kernel/spec'
import { isObject, number, shape, text } from '../parse/check.js'
import type { WalletProof } from './sign.js'

/** Proof without its signature. Contains no secret: the nonce works only with the key that requested it. */
export interface Expected {
  readonly connectorId: string
  readonly address: string
  /** base64 */
  readonly message: string
  readonly nonceId: string
  readonly walletName: string
}
export interface Returns {
  /** Records that the user leaves the page to connect a wallet for a sign-in. */
  begin(connectorId: string): Promise<void>
  /** Reads and removes the record. */
  began(connectorId: string): Promise<boolean>
  expect(expected: Expected): Promise<void>
  /** Reads and removes the proof. */
  take(connectorId: string): Promise<Expected | undefined>
}
const KEY = 'account:wallet-proof'
const ENTRY = 'account:wallet-entry'
/** Later responses are ignored, as the kernel ignores later redirects. */
const MAX_AGE_MS = 3_600_000
const isEntry = shape<{ readonly connectorId: string; readonly at: number }>({ connectorId: text, at: number })
const isExpected = shape<Expected>({ connectorId: text, address: text, message: text, nonceId: text, walletName: text })

export function createReturns({ storage, clock }: Pick<Kernel, 'storage' | 'clock'>): Returns {
  return {
    begin: connectorId => storage.set(ENTRY, { connectorId, at: clock.now() }),
    async began(connectorId) {
      const stored = await storage.get(ENTRY)
      await storage.remove(ENTRY)
      return isEntry(stored) && stored.connectorId === connectorId && clock.now() - stored.at < MAX_AGE_MS
    },
    expect: expected => storage.set(KEY, expected),
    async take(connectorId) {
      const read = async () => {
        const stored = await storage.get(KEY)
        if (!isExpected(stored) || stored.connectorId !== connectorId) return undefined
        await storage.remove(KEY)
        return stored
      }
      // Locked, because two pages receive the same signature if the wallet opens a new tab.
      return navigator.locks ? navigator.locks.request(`keybay:${KEY}`, read) : read()
    },
  }
}

/** @returns undefined if it is not the requested signature */
export function getProof(result: unknown, { address, message }: Expected): WalletProof | undefined {
  const [output]: readonly unknown[] = Array.isArray(result) ? result : []
  const { signedMessage, signature } = isObject(output) ? output : {}
  if (!(signedMessage instanceof Uint8Array) || !(signature instanceof Uint8Array) || signature.length !== 64)
    return undefined
  const same = equalBytes(signedMessage, fromBase64(message))
  return same ? { type: 'message', address, message, signature: toBase64(signature) } : undefined
}
