/** The wallet's features: what can be asked of it, each by leaving the page. */
import type {
  ErrorSpec,
  Kernel,
  SolanaSignAndSendTransaction,
  SolanaSignMessage,
  SolanaSignTransaction,
} from '@keybay/kernel'
import type { WalletAccount } from '@wallet-standard/base'
import { deepLinkAnswerInvalid, deepLinkSessionEnded } from './errors.js'
import { encode } from './exchange.js'
import type { Faults } from './faults.js'
import type { Link } from './link.js'
import { type Asked, METHODS } from './methods.js'
import { type DeepLinkOutput, type DeepLinkSigning, isOutputs } from './results.js'

export interface SigningFeatures {
  readonly 'solana:signMessage': SolanaSignMessage
  readonly 'solana:signTransaction': SolanaSignTransaction
  readonly 'solana:signAndSendTransaction': SolanaSignAndSendTransaction
}
export interface SigningParts {
  readonly link: Link
  readonly clock: Kernel['clock']
  /** After a connect, ms. */
  readonly signMessageDelay: number
  readonly faults: Faults
  readonly accountNotFound: ErrorSpec
  readonly configInvalid: ErrorSpec
}
interface Input {
  readonly account: WalletAccount
  readonly chain?: string
}

export function createSigning({
  link,
  clock,
  signMessageDelay,
  faults,
  accountNotFound,
  configInvalid,
}: SigningParts): SigningFeatures {
  const sign = async <const M extends DeepLinkSigning>(
    method: M,
    inputs: readonly Input[],
    contents: readonly Uint8Array[],
  ): Promise<readonly DeepLinkOutput<M>[]> => {
    const asked: Asked = { inputs: contents.map(encode) } // read now: the page may change its arrays while we wait
    const session = await link.restore()
    if (!session) throw faults.of(deepLinkSessionEnded)
    for (const { account, chain = session.chain } of inputs) {
      if (account.address !== session.address) throw faults.of(accountNotFound)
      if (chain !== session.chain) throw faults.of(configInvalid, { detail: `connected on ${session.chain}` })
    }
    const wait = Number(session.connectedAt) + signMessageDelay - clock.now()
    if (method === 'signMessage' && wait > 0)
      await new Promise<void>(resolve => void clock.after(Math.min(wait, signMessageDelay), resolve))
    const answer = await link.send(session, method, { secret: asked, payload: METHODS[method].payload(asked.inputs) })
    if (!isOutputs(method, answer)) throw faults.of(deepLinkAnswerInvalid)
    return answer
  }
  /** The protocol has no request for several of these. */
  const one = <T>(inputs: readonly T[]): readonly [T] => {
    const [input, ...more] = inputs
    if (!input || more.length) throw faults.of(configInvalid, { detail: 'one at a time' })
    return [input]
  }
  return {
    'solana:signMessage': {
      version: '1.0.0',
      signMessage: async (...inputs) =>
        sign(
          'signMessage',
          one(inputs),
          inputs.map(({ message }) => message),
        ),
    },
    'solana:signTransaction': {
      version: '1.0.0',
      supportedTransactionVersions: ['legacy', 0],
      async signTransaction(...inputs) {
        const transactions = inputs.map(({ transaction }) => transaction)
        if (!inputs.length) return []
        return inputs.length > 1
          ? sign('signAllTransactions', inputs, transactions)
          : sign('signTransaction', inputs, transactions)
      },
    },
    'solana:signAndSendTransaction': {
      version: '1.0.0',
      supportedTransactionVersions: ['legacy', 0],
      signAndSendTransaction: async (...inputs) =>
        sign(
          'signAndSendTransaction',
          one(inputs),
          inputs.map(({ transaction }) => transaction),
        ),
    },
  }
}
