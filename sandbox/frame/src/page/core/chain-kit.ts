/**
 * Loads the code for chains other than Solana, and that of the window for Solana. The former is as large as the rest of
 * the frame, and hidden frames need neither, so each is a separate file. This module has their types.
 */
import { type Chain, KeybayError, unsupportedChain } from '@keybay/kernel/spec'
import { type ShareSet, solanaAddress } from '@keybay/waas/mpc'
import type {
  MessageToSign,
  Policy,
  ResultOf,
  Signature,
  TransactionToSign,
  TypedDataToSign,
} from '@keybay/waas/protocol'
import type { TransactionMessage } from '@keybay/waas/relay-client'
import type { FactorQuestion } from '../factor/client.js'
import type { Child } from '../screen/dom.js'
import type { FactorFields } from '../screen/questions.js'
import type { Screen } from '../screen/screen.js'
import type { ShownKey } from '../screen/show-key.js'
import type { Frame } from './frame.js'
import type { Job } from './job.js'
import { loadPart } from './load-part.js'

export type OtherChain = 'EVM' | 'BTC'
type Operation<Payload, Result> = (job: Job, payload: Payload) => Promise<Result>

export interface ChainKit {
  readonly addressOf: (chain: OtherChain, set: ShareSet) => string
  readonly signMessage: Operation<MessageToSign, Signature>
  readonly signTransaction: Operation<TransactionToSign, ResultOf<'signTransaction'>>
  readonly signTypedData: Operation<TypedDataToSign, Signature>
}
export type LoadChains = () => Promise<ChainKit>

/** Description of a policy to the user who must agree to it. */
export interface Rules {
  readonly sentences: readonly string[]
  /** Warnings about rules that no limit restricts. */
  readonly problems: readonly string[]
}
/** Offer not to ask again. */
export interface Offer {
  readonly rows: readonly Child[]
  /** Returns the grant that the user chose; undefined if none. @throws Error that says what to correct */
  readonly read: () => Policy | undefined
}
export interface TransactionToShow {
  /** Base64, as the app sent it. */
  readonly encoded: string
  readonly parsed: TransactionMessage
  /** Address that signs. */
  readonly wallet: string
}
export interface ShownTransaction {
  readonly content: readonly Child[]
  /** Wallets and token accounts that the wallet itself sends an amount. */
  readonly paid: readonly string[]
}
/** Code that only visible frames need. */
export interface WindowKit {
  readonly openScreen: typeof import('../screen/open-screen.js').openScreen
  readonly askNewSecret: typeof import('../backup/ask-secret.js').askNewSecret
  readonly askNewPassword: typeof import('../screen/passwords.js').askNewPassword
  readonly askKey: typeof import('../screen/arrivals.js').askKey
  readonly waitForOtherDevice: typeof import('../screen/arrivals.js').waitForOtherDevice
  readonly factorFields: (question: FactorQuestion) => FactorFields
  readonly setUpPasskey: (screen: Screen, question: FactorQuestion, signal?: AbortSignal) => Promise<void>
  readonly showKey: (screen: Screen, key: ShownKey) => Promise<void>
  readonly showTransaction: (job: Job, transaction: TransactionToShow) => Promise<ShownTransaction>
  readonly rulesInWords: (policy: Policy | null) => Rules
  readonly offerGrant: (job: Job, address: string, message: TransactionMessage) => Promise<Offer | undefined>
  readonly grantAfter: (job: Job, address: string, grant: Policy) => Promise<void>
}
export type LoadWindow = () => Promise<WindowKit>

/** @throws KeybayError `frame_chain_unavailable` */
export function openWindow({ loadWindow }: Pick<Frame, 'loadWindow'>): Promise<WindowKit> {
  return loadPart(loadWindow)
}

function isOther(chain: Chain): chain is OtherChain {
  return chain === 'EVM' || chain === 'BTC'
}

/**
 * Loads the code of a chain. Call it before reading data of that chain.
 * @returns undefined for Solana, which needs no extra code
 * @throws KeybayError `unsupported_chain`, `frame_chain_unavailable`
 */
export async function openChain({ loadChains }: Pick<Frame, 'loadChains'>, chain: Chain) {
  if (chain === 'SOL') return undefined
  if (!isOther(chain) || !loadChains) throw new KeybayError(unsupportedChain)
  return loadPart(loadChains)
}

/**
 * Returns the function that formats the key of a set as an address of the chain.
 * @throws KeybayError `unsupported_chain`; the returned function throws it for a key of another curve
 */
export async function addressing(frame: Pick<Frame, 'loadChains'>, chain: Chain): Promise<(set: ShareSet) => string> {
  const kit = await openChain(frame, chain)
  return set => {
    if ((set.curve === 'ed25519') !== (kit === undefined))
      throw new KeybayError(unsupportedChain, { detail: 'the key is of another one' })
    return kit && isOther(chain) ? kit.addressOf(chain, set) : solanaAddress(set)
  }
}
