/** The connector's wallet, loaded with the first call. */
import type {
  ConnectContext,
  Kernel,
  SolanaSignAndSendTransaction,
  SolanaSignMessage,
  SolanaSignTransaction,
} from '@keybay/kernel'
import { configInvalid, featureMissing, throwMessageError } from '@keybay/kernel/spec'
import type { Connection, Transaction, VersionedTransaction } from '@solana/web3.js'
import type { SignInPayload } from '@solana-mobile/mobile-wallet-adapter-protocol'
import type { IdentifierString, Wallet, WalletAccount, WalletIcon } from '@wallet-standard/base'
import { mobileWalletAnswerInvalid } from '../errors.js'
import type { MobileWalletOptions } from '../plugin.js'
import {
  checkList,
  checkSignature,
  readBase64,
  readMessageSignature,
  readTransaction,
  toBase64,
  verifySignature,
  writeTransaction,
} from './payloads.js'
import { Session } from './session.js'
import { createError } from './to-error.js'

export interface Engine {
  readonly wallet: Wallet
  connect(context: ConnectContext): Promise<readonly WalletAccount[]>
  disconnect(): Promise<void>
}
export interface EngineOptions {
  readonly name: string
  readonly icon: WalletIcon
  readonly chain: IdentifierString
  readonly identity: MobileWalletOptions['identity']
}
interface Input {
  readonly account: WalletAccount
  readonly chain?: string
}
interface MessageInput extends Input {
  readonly message: Uint8Array
}
/** The adapter sends by itself only for wallets that cannot, and for those `signAndSendTransaction` fails first. */
const NO_CONNECTION = {} as Connection

class MobileEngine implements Engine {
  readonly wallet: Wallet
  readonly #session: Session
  readonly #chain: IdentifierString

  constructor(kernel: Kernel, { name, icon, chain, identity }: EngineOptions) {
    const session = new Session({ kernel, chain, identity })
    this.#session = session
    this.#chain = chain
    const versions = { version: '1.0.0', supportedTransactionVersions: ['legacy', 0] } as const
    this.wallet = {
      version: '1.0.0',
      name,
      icon,
      chains: [chain],
      get accounts() {
        return session.accounts
      },
      features: {
        'standard:events': session.events,
        'solana:signIn': { version: '1.0.0', signIn: this.#signIn },
        'solana:signMessage': { version: '1.0.0', signMessage: this.#signMessage },
        'solana:signTransaction': { ...versions, signTransaction: this.#signTransaction },
        'solana:signAndSendTransaction': { ...versions, signAndSendTransaction: this.#signAndSendTransaction },
      },
    }
  }
  async connect({ signal, silent, prompt }: ConnectContext): Promise<readonly WalletAccount[]> {
    const accounts = await this.#session.restore()
    signal.throwIfAborted()
    if (accounts.length || silent) return accounts
    await this.#session.authorise(adapter => adapter.performAuthorization(), { signal, prompt })
    return this.#session.accounts
  }
  disconnect(): Promise<void> {
    return this.#session.end()
  }
  /** Checks a request before the phone opens the wallet. */
  async #prepare(inputs: readonly Input[]) {
    const addresses = inputs.map(({ account }) => account.address)
    const authorisation = await this.#session.require(addresses)
    if (inputs.some(({ chain = this.#chain }) => chain !== this.#chain))
      throw createError(configInvalid, { detail: `connected on ${this.#chain}` })
    return { authorisation, addresses, address: addresses[0] ?? '' }
  }
  /** Connects and proves the address in one trip. */
  readonly #signIn = async (input: SignInPayload) => {
    const payload = { ...input, domain: input.domain ?? location.host }
    const output = await this.#session.authorise(adapter => adapter.signIn(payload))
    const account = this.#session.accounts.find(({ address }) => address === output.account.address)
    if (!account) throw createError(mobileWalletAnswerInvalid)
    return [{ account, signedMessage: output.signedMessage, signature: checkSignature(output.signature) }]
  }
  readonly #signMessage: SolanaSignMessage['signMessage'] = (...inputs) =>
    this.#signMessages(inputs).catch(throwMessageError)

  async #signMessages(inputs: readonly MessageInput[]) {
    if (!inputs.length) return []
    const messages = inputs.map(({ message }) => message)
    const publicKeys = inputs.map(({ account }) => new Uint8Array(account.publicKey))
    const { authorisation, addresses, address } = await this.#prepare(inputs)
    const [message = new Uint8Array(), ...others] = messages
    const signatures = others.length
      ? await this.#session.useProtocol(authorisation, addresses, async wallet => {
          const request = { addresses: publicKeys.map(toBase64), payloads: messages.map(toBase64) }
          const { signed_payloads } = await wallet.signMessages(request)
          return checkList(signed_payloads, inputs.length).map(readMessageSignature)
        })
      : [await this.#session.use(authorisation, address, adapter => adapter.signMessage(message))]
    return messages.map((signedMessage, index) => ({
      signedMessage,
      signature: verifySignature(signatures[index], signedMessage, publicKeys[index] ?? new Uint8Array()),
    }))
  }
  readonly #signTransaction: SolanaSignTransaction['signTransaction'] = async (...inputs) => {
    if (!inputs.length) return []
    const transactions: (Transaction | VersionedTransaction)[] = inputs.map(input => readTransaction(input.transaction))
    const publicKeys = inputs.map(({ account }) => new Uint8Array(account.publicKey))
    const { authorisation, address } = await this.#prepare(inputs)
    if (authorisation.capabilities?.signs === false) throw createError(featureMissing, { detail: 'signTransaction' })
    const signed = await this.#session.use(authorisation, address, adapter => adapter.signAllTransactions(transactions))
    return checkList(signed, inputs.length).map((transaction, index) => ({
      signedTransaction: writeTransaction(transaction, publicKeys[index] ?? new Uint8Array()),
    }))
  }
  readonly #signAndSendTransaction: SolanaSignAndSendTransaction['signAndSendTransaction'] = async (...inputs) => {
    if (!inputs.length) return []
    const [transaction, ...others] = inputs.map(input => readTransaction(input.transaction))
    const payloads = inputs.map(input => toBase64(input.transaction))
    const { authorisation, addresses, address } = await this.#prepare(inputs)
    if (authorisation.capabilities?.sends === false)
      throw createError(featureMissing, { detail: 'signAndSendTransaction' })
    const signatures =
      transaction && !others.length
        ? [
            await this.#session.use(authorisation, address, adapter =>
              adapter.sendTransaction(transaction, NO_CONNECTION),
            ),
          ]
        : await this.#session.useProtocol(authorisation, addresses, async wallet => {
            const response = await wallet.signAndSendTransactions({ payloads })
            return response.signatures
          })
    return checkList(signatures, inputs.length).map(text => ({ signature: checkSignature(readBase64(text)) }))
  }
}

export function createEngine(kernel: Kernel, options: EngineOptions): Engine {
  return new MobileEngine(kernel, options)
}
