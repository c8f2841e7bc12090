/** Messages that all three lanes carry, and the functions that the bench calls in the page. */
import type { PayloadOf, ResultOf } from '@keybay/waas/protocol'

export const PATHS = ['raw', 'keybay', 'penpal'] as const
/** `raw`: two MessagePorts and nothing else. */
export type Path = (typeof PATHS)[number]

/** Sign request of 400 characters of JSON, as the wallet's client sends it. */
export const REQUEST: PayloadOf<'signMessage'> = {
  chainName: 'SOL',
  signedSessionId: 's'.repeat(104),
  authToken: 'a'.repeat(104),
  accountAddress: '7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU',
  message: 'm'.repeat(60),
}
/** Result with the length of an Ed25519 signature. */
export const ANSWER: ResultOf<'signMessage'> = { signature: new Uint8Array(64).fill(7) }

export interface Lane {
  /** Sends one request and waits for the response. */
  ask(): Promise<unknown>
}
declare global {
  interface Window {
    lanes: Readonly<Record<Path, Lane>>
  }
}
