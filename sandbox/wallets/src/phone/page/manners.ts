/** Phone's behaviour: correct, or wrong in one of the ways that an app must survive. */
import bs58 from 'bs58'
import nacl from 'tweetnacl'
import type { Parameters } from './answer.js'
import type { Account } from './link.js'
import { getRefusal, REFUSAL_CODES } from './refusals.js'

export interface Manner {
  readonly id: string
  readonly label: string
  /** Signs with this account instead of the user's own. */
  readonly signs?: 'another account'
  /** Changes the response. */
  change?(answer: Parameters): Parameters
  /** Delivery to the app. Default: this tab returns to the app. */
  readonly delivery?: 'new tab' | 'never'
  /** The phone does not have this wallet app when true. */
  readonly isMissing?: boolean
}
/** Flips one bit in the middle. */
function alter(text: string): string {
  const bytes = bs58.decode(text)
  bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1
  return bs58.encode(bytes)
}
const NONCE_BYTES = 24

export const MANNERS: readonly Manner[] = [
  { id: 'well', label: 'As it should' },
  { id: 'new-tab', label: 'In a new tab, as on iOS', delivery: 'new tab' },
  {
    id: 'altered',
    label: 'With altered data',
    change: answer => ({ ...answer, ...(answer.data && { data: alter(answer.data) }) }),
  },
  {
    id: 'foreign',
    label: 'With data that is for another app',
    change(answer) {
      const nonce = nacl.randomBytes(NONCE_BYTES)
      const text = new TextEncoder().encode(JSON.stringify({ signature: bs58.encode(nacl.randomBytes(64)) }))
      return {
        ...answer,
        nonce: bs58.encode(nonce),
        data: bs58.encode(nacl.secretbox(text, nonce, nacl.randomBytes(nacl.secretbox.keyLength))),
      }
    },
  },
  {
    id: 'wrong-nonce',
    label: 'With another nonce',
    change: answer => ({ ...answer, nonce: bs58.encode(nacl.randomBytes(NONCE_BYTES)) }),
  },
  {
    id: 'short-nonce',
    label: 'With a nonce of 12 bytes',
    change: answer => ({ ...answer, nonce: bs58.encode(nacl.randomBytes(12)) }),
  },
  { id: 'other-signer', label: 'Signed by another account', signs: 'another account' },
  ...REFUSAL_CODES.map(
    (code): Manner => ({ id: `error${code}`, label: `With error ${code}`, change: () => ({ ...getRefusal(code) }) }),
  ),
  { id: 'unknown-error', label: 'With an unknown error', change: () => ({ ...getRefusal('7777') }) },
  { id: 'never', label: 'Never', delivery: 'never' },
  { id: 'missing', label: 'Not at all: the wallet is not installed', isMissing: true },
]

export function getManner(id: unknown): Manner {
  return MANNERS.find(manner => manner.id === id) ?? { id: 'well', label: 'As it should' }
}

/** Returns an account with an unknown key in place of the account's own. */
export function impostor(account: Account): Account {
  const { secretKey } = nacl.sign.keyPair()
  return { ...account, sign: bytes => nacl.sign.detached(bytes, secretKey) }
}
