/** The wallet's signing features. Each call leaves the page. */
import type { Clock, SolanaSignAndSendTransaction, SolanaSignMessage, SolanaSignTransaction } from '@keybay/kernel'
import { accountNotFound, configInvalid, KeybayError } from '@keybay/kernel/spec'
import type { WalletAccount } from '@wallet-standard/base'
import { deepLinkAnswerInvalid, deepLinkSessionEnded } from './errors.js'
import { encode } from './exchange.js'
import type { Link } from './link.js'
import { METHODS } from './methods.js'
import { type DeepLinkOutput, type DeepLinkSigning, isOutputs } from './results.js'

export interface SigningFeatures {
  readonly 'solana:signMessage': SolanaSignMessage
  readonly 'solana:signTransaction': SolanaSignTransaction
  readonly 'solana:signAndSendTransaction': SolanaSignAndSendTransaction
}
interface Input {
  readonly account: WalletAccount
  readonly chain?: string
}
/** @param signMessageDelay how long the wallet refuses to sign a message after a connect, in ms */
export function createSigning(
  link: Link,
  clock: Clock,
  signMessageDelay: number,
  connectorId: string,
): SigningFeatures {
  const sign = async <const M extends DeepLinkSigning>(
    method: M,
    inputs: readonly Input[],
    contents: readonly Uint8Array[],
  ): Promise<readonly DeepLinkOutput<M>[]> => {
    const encoded = contents.map(encode)
    const session = await link.restore()
    if (!session) throw new KeybayError(deepLinkSessionEnded, { connectorId })
    for (const { account, chain = session.chain } of inputs) {
      if (account.address !== session.address) throw new KeybayError(accountNotFound, { connectorId })
      if (chain !== session.chain)
        throw new KeybayError(configInvalid, { connectorId, detail: `connected on ${session.chain}` })
    }
    const delay = Number(session.connectedAt) + signMessageDelay - clock.now()
    if (method === 'signMessage' && delay > 0)
      await new Promise<void>(resolve => void clock.after(Math.min(delay, signMessageDelay), resolve))
    const answer = await link.send(session, method, { inputs: encoded }, METHODS[method].payload(encoded))
    if (!isOutputs(method, answer)) throw new KeybayError(deepLinkAnswerInvalid, { connectorId })
    return answer
  }
  /** For methods whose protocol has no request for several inputs. */
  const signOne = async <const M extends DeepLinkSigning>(
    method: M,
    inputs: readonly Input[],
    contents: readonly Uint8Array[],
  ) => {
    if (inputs.length !== 1) throw new KeybayError(configInvalid, { connectorId, detail: 'one at a time' })
    return sign(method, inputs, contents)
  }
  return {
    'solana:signMessage': {
      version: '1.0.0',
      signMessage: (...inputs) =>
        signOne(
          'signMessage',
          inputs,
          inputs.map(({ message }) => message),
        ),
    },
    'solana:signTransaction': {
      version: '1.0.0',
      supportedTransactionVersions: ['legacy', 0],
      async signTransaction(...inputs) {
        if (!inputs.length) return []
        const transactions = inputs.map(({ transaction }) => transaction)
        return sign(inputs.length > 1 ? 'signAllTransactions' : 'signTransaction', inputs, transactions)
      },
    },
    'solana:signAndSendTransaction': {
      version: '1.0.0',
      supportedTransactionVersions: ['legacy', 0],
      signAndSendTransaction: (...inputs) =>
        signOne(
          'signAndSendTransaction',
          inputs,
          inputs.map(({ transaction }) => transaction),
        ),
    },
  }
}
