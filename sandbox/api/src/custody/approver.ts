/**
 * The second key of wallets that ask for a second factor. In such a sub-organisation nothing happens without the wallet's
 * owner and without the approver, which only agrees to what the owner began: alone it can do nothing.
 */
import type { TurnkeyClient } from '@turnkey/http'
import type { ApproverKey } from './approver-keys.js'
import { clientOf } from './keys.js'

export interface CustodyUser {
  readonly userId: string
  readonly apiKeys: readonly { readonly apiKeyId: string; readonly credential: { readonly publicKey: string } }[]
  readonly authenticators: readonly { readonly authenticatorId: string; readonly credentialId: string }[]
  readonly userTags: readonly string[]
}

export interface Approver {
  /** Of new wallets; 33 bytes, hex. */
  readonly publicKey: string
  /** Finds the approver's own user in a sub-organisation: by any of its keys, those past their date too. */
  guardOf<U extends CustodyUser>(users: readonly U[]): U | undefined
  /** Stamps with the newest key that the user has. Undefined: the key is past its date, or is not known any more. */
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
    guardOf: users => users.find(user => keys.some(({ publicKey }) => hasKey(user, publicKey))),
    clientFor(guard) {
      const valid = keys.filter(({ until = Number.POSITIVE_INFINITY }) => now < until)
      const key = valid.find(({ publicKey }) => hasKey(guard, publicKey))
      return key && clientOf(baseUrl, key)
    },
  }
}
