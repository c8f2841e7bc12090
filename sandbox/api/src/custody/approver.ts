/**
 * Acts as the second key of wallets that require a second factor. In such a sub-organization nothing happens without
 * both the
 * wallet's owner and the approver. The approver only agrees to what the owner began; alone, it can do nothing.
 */
import type { TurnkeyClient } from '@turnkey/http'
import type { ApproverKey } from './approver-keys.js'
import { getClient } from './keys.js'

export interface CustodyUser {
  readonly userId: string
  readonly apiKeys: readonly { readonly apiKeyId: string; readonly credential: { readonly publicKey: string } }[]
  readonly authenticators: readonly { readonly authenticatorId: string; readonly credentialId: string }[]
  readonly userTags: readonly string[]
}

export interface Approver {
  /** Key for new wallets; 33 bytes, hex. */
  readonly publicKey: string
  /** Finds the approver's own user in a sub-organization by any of its keys, including keys past their date. */
  getGuard<U extends CustodyUser>(users: readonly U[]): U | undefined
  /**
   * Returns a client that stamps with the user's newest key; undefined if the key is past its date or no longer known.
   */
  clientFor(guard: CustodyUser): TurnkeyClient | undefined
}

function hasKey({ apiKeys }: CustodyUser, publicKey: string): boolean {
  return apiKeys.some(({ credential }) => credential.publicKey.toLowerCase() === publicKey)
}

/** @param now ms since epoch */
export function createApprover(baseUrl: string, keys: readonly ApproverKey[], now: number): Approver {
  const [newest] = keys
  if (!newest) throw new Error('The approver has no key.')
  return {
    publicKey: newest.publicKey,
    getGuard: users => users.find(user => keys.some(({ publicKey }) => hasKey(user, publicKey))),
    clientFor(guard) {
      const valid = keys.filter(({ until = Number.POSITIVE_INFINITY }) => now < until)
      const key = valid.find(({ publicKey }) => hasKey(guard, publicKey))
      return key && getClient(baseUrl, key)
    },
  }
}
