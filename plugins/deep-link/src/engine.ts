/** One wallet's connector, loaded with the first call: leaves for the wallet, and reads its response. */
import { type ConnectContext, type Kernel, listenerSet, type ResumeContext } from '@keybay/kernel'
import {
  disposed,
  field,
  isKeybayError,
  KeybayError,
  redirectUnexpected,
  throwMessageError,
  toKeybayError,
} from '@keybay/kernel/spec'
import type { Wallet, WalletAccount } from '@wallet-standard/base'
import { type Answer, cleanAddress, readAnswer, restoreParameters } from './address.js'
import { deepLinkAnswerInvalid, deepLinkSessionEnded, readWalletError } from './errors.js'
import { createPair, decode, encode, KEY_BYTES, open, sharedKey } from './exchange.js'
import { Link, type LinkOptions } from './link.js'
import { isSigning, METHODS } from './methods.js'
import type { Pending } from './records.js'
import { createSigning } from './signing.js'
import type { DeepLinkWallet } from './wallets.js'

export interface EngineOptions extends LinkOptions {
  /** As the protocol names it, e.g. `mainnet-beta`. */
  readonly cluster: string
  readonly appUrl: string | undefined
}
const MAX_TOKEN_CHARACTERS = 8192
interface Change {
  readonly accounts: readonly WalletAccount[]
}
type Listener = (change: Change) => void

export class Engine {
  readonly wallet: Wallet
  readonly #wallet: DeepLinkWallet
  readonly #options: EngineOptions
  readonly #link: Link
  readonly #changes = listenerSet<Change>()

  constructor(kernel: Kernel, wallet: DeepLinkWallet, options: EngineOptions) {
    const { connectorId, chain } = options
    const link = new Link(kernel, wallet, options)
    kernel.onDispose(() => link.waiting.stop(new KeybayError(disposed, { connectorId })))
    this.#wallet = wallet
    this.#options = options
    this.#link = link
    this.wallet = {
      version: '1.0.0',
      name: wallet.name,
      icon: wallet.icon,
      chains: [chain],
      get accounts() {
        return link.accounts
      },
      features: {
        ...createSigning(link, kernel.clock, wallet.signMessageDelay ?? 0, connectorId),
        'standard:events': {
          version: '1.0.0',
          on: (_event: 'change', listener: Listener) => this.#changes.add(listener),
        },
      },
    }
  }

  async connect({ signal, silent, redirect }: ConnectContext): Promise<readonly WalletAccount[]> {
    signal.throwIfAborted()
    if (silent) {
      await this.#link.arrive(signal)
      return this.#link.accounts
    }
    const pair = createPair()
    const { appUrl = location.origin, cluster } = this.#options
    const departure = {
      method: 'connect',
      publicKey: encode(pair.publicKey),
      secret: { secretKey: encode(pair.secretKey) },
      parameters: { app_url: appUrl, cluster },
    } as const
    this.#link.adopt(await this.#link.leave(departure, redirect, signal))
    return this.#link.accounts
  }

  async disconnect(): Promise<void> {
    const session = await this.#link.end()
    // The wallet is told last, because its response changes nothing.
    if (session) await this.#link.send(session, 'disconnect', undefined, {})
  }

  async resume(url: URL, { attempt }: ResumeContext): Promise<unknown> {
    const { mark, connectorId } = this.#options
    cleanAddress(mark)
    const answer = readAnswer(url, mark, this.#wallet.key)
    const pending = await this.#link.takePending(answer.state)
    if (pending) restoreParameters(url, pending.parameters)
    if (!attempt || pending?.method !== attempt.method) throw this.#error(redirectUnexpected)
    const { waiting } = this.#link
    try {
      const result = await this.#read(answer, pending)
      waiting.report(pending.state, { result })
      return result
    } catch (error) {
      waiting.report(pending.state, { error: toKeybayError(error, connectorId).toJSON() })
      throw error
    }
  }

  async #read(answer: Answer, pending: Pending): Promise<unknown> {
    const { errorCode, errorMessage } = answer
    const { method } = pending
    if (errorCode !== undefined) {
      const error = readWalletError(errorCode, errorMessage, this.#options.connectorId)
      if (isKeybayError(error, deepLinkSessionEnded) && isSigning(method)) await this.#forget()
      if (method === 'signMessage') throwMessageError(error)
      throw error
    }
    if (method === 'disconnect') return undefined // it has no parameters
    const secret = await this.#link.openPending(pending)
    if (!secret) throw this.#error(deepLinkSessionEnded)
    return method === 'connect'
      ? this.#readConnect(answer, pending, secret)
      : this.#readSigning(answer, pending, secret)
  }

  async #readConnect({ data, nonce, publicKey }: Answer, pending: Pending, secret: unknown) {
    const walletKey = decode(publicKey, KEY_BYTES)
    const secretKey = decode(field(secret, 'secretKey'), KEY_BYTES)
    const key = walletKey && secretKey && sharedKey(walletKey, secretKey)
    const content = key && open(data, nonce, key)
    const [address, token] = [field(content, 'public_key'), field(content, 'session')]
    const hasToken = typeof token === 'string' && token && token.length <= MAX_TOKEN_CHARACTERS
    if (!key || !hasToken || typeof address !== 'string' || !decode(address, KEY_BYTES))
      throw this.#error(deepLinkAnswerInvalid)
    await this.#link.begin({ publicKey: pending.publicKey, address }, { key, token })
    return this.#link.accounts
  }

  async #readSigning({ data, nonce }: Answer, { method, publicKey }: Pending, secret: unknown) {
    const session = await this.#link.restore()
    // Another tab ended or replaced the session while the user was in the wallet.
    if (session?.publicKey !== publicKey) throw this.#error(deepLinkSessionEnded)
    const signer = decode(session.address, KEY_BYTES)
    const inputs = field(secret, 'inputs')
    const content = open(data, nonce, session.key)
    const result = isSigning(method) && signer && Array.isArray(inputs) && METHODS[method].read(content, inputs, signer)
    if (!result) throw this.#error(deepLinkAnswerInvalid)
    return result
  }

  /** The wallet no longer accepts the session. */
  async #forget(): Promise<void> {
    await this.#link.end()
    this.#changes.emit({ accounts: [] })
  }

  #error(spec: typeof disposed): KeybayError {
    return new KeybayError(spec, { connectorId: this.#options.connectorId })
  }
}
