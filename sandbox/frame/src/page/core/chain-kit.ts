/**
 * Loads the code for chains other than Solana. That code is as large as the rest of the frame, so it is a separate file
 * that the page loads with the first such account. `index.ts` has the code; this module has its types.
 */
import { type Chain, KeybayError, unsupportedChain } from '@keybay/kernel/spec'
import { type ShareSet, solanaAddress } from '@keybay/waas/mpc'
import type { MessageToSign, ResultOf, Signature, TransactionToSign, TypedDataToSign } from '@keybay/waas/protocol'
import { frameError } from '../errors/errors.js'
import type { Frame } from './frame.js'
import type { Job } from './job.js'

export type OtherChain = 'EVM' | 'BTC'
type Operation<Payload, Result> = (job: Job, payload: Payload) => Promise<Result>

export interface ChainKit {
  readonly addressOf: (chain: OtherChain, set: ShareSet) => string
  readonly signMessage: Operation<MessageToSign, Signature>
  readonly signTransaction: Operation<TransactionToSign, ResultOf<'signTransaction'>>
  readonly signTypedData: Operation<TypedDataToSign, Signature>
}
export type LoadChains = () => Promise<ChainKit>

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
  try {
    return await loadChains()
  } catch (cause) {
    throw frameError('frame_chain_unavailable', { cause })
  }
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
