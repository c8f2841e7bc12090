/** The state shared by this page and one wallet: the session, and the pending request. */
import type { Kernel } from '@keybay/kernel'
import { disposed, field, isKeybayError, KeybayError } from '@keybay/kernel/spec'
import type { IdentifierString, WalletAccount } from '@wallet-standard/base'
import { getHostParameters, redirectLink } from './address.js'
import { deepLinkStorageBlocked } from './errors.js'
import { createState, decode, encode, KEY_BYTES, seal } from './exchange.js'
import { createRecords, type Pending, type Records, type Session } from './records.js'
import type { DeepLinkMethod } from './results.js'
import { createVault, type Vault } from './vault.js'
import { Waiting } from './waiting.js'
import type { DeepLinkWallet } from './wallets.js'

export interface LinkOptions {
  readonly connectorId: string
  /** Start of the page's own parameter in a return address, e.g. `keybay_return=phantom.` */
  readonly mark: string
  readonly chain: IdentifierString
}

export interface Secrets {
  readonly key: Uint8Array
  /** The wallet's own; opaque. */
  readonly token: string
}
export type OpenSession = Session & Secrets
interface Departure {
  readonly method: DeepLinkMethod
  /** This page's key of the exchange; base58. */
  readonly publicKey: string
  /** Sealed until the response is here. A disconnect has none, and leaves no key behind. */
  readonly secret: object | undefined
  /** Parameters of the address, in addition to those of every request. */
  readonly parameters: Readonly<Record<string, string>>
}
/** Leaves the page; its promise never resolves. */
type Leave = (url: string, state: string) => Promise<never>

/** Storage reaches the other tabs' processes within this time; a message may arrive earlier. */
const STORAGE_DELAY_MS = 1000
const FEATURES = ['solana:signMessage', 'solana:signTransaction', 'solana:signAndSendTransaction'] as const

/** Purpose of a sealed secret: it opens for nothing else. */
function describePending(method: string, state: string): string {
  return `${method} ${state}`
}

function describeSession({ publicKey, address }: Pick<Session, 'publicKey' | 'address'>): string {
  return `session ${publicKey} ${address}`
}

function readSecrets(value: unknown): Secrets | undefined {
  const key = decode(field(value, 'key'), KEY_BYTES)
  const token = field(value, 'token')
  return key && typeof token === 'string' ? { key, token } : undefined
}

export class Link {
  readonly waiting: Waiting
  readonly #kernel: Kernel
  readonly #wallet: DeepLinkWallet
  readonly #options: LinkOptions
  readonly #vault: Vault
  readonly #records: Records
  #accounts: readonly WalletAccount[] = []
  /** A session that is being ended must not be restored. */
  #ending: Promise<unknown> = Promise.resolve()

  constructor(kernel: Kernel, wallet: DeepLinkWallet, options: LinkOptions) {
    this.#kernel = kernel
    this.#wallet = wallet
    this.#options = options
    this.waiting = new Waiting(kernel.tabs, options.connectorId)
    this.#vault = createVault(`${kernel.config.environmentId}:deep-link`, wallet.key)
    this.#records = createRecords(kernel.storage, wallet.key)
  }

  /** Accounts of the session as last read; the same object until they change. */
  get accounts(): readonly WalletAccount[] {
    return this.#accounts
  }

  /** Reads the session: another tab may have begun or ended it. Without its key there is none. */
  async restore(): Promise<OpenSession | undefined> {
    await this.#ending
    return this.#read()
  }

  /** Restores a session that another tab may just have begun: its message can arrive before its storage. */
  async arrive(signal: AbortSignal): Promise<void> {
    let isLate = false
    let wake = () => {}
    const look = () => wake()
    addEventListener('storage', look)
    signal.addEventListener('abort', look)
    const cancel = this.#kernel.clock.after(STORAGE_DELAY_MS, () => {
      isLate = true
      wake()
    })
    try {
      for (;;) {
        // Before the read, so that no change is missed in between.
        const changed = new Promise<void>(resolve => {
          wake = resolve
        })
        // Without a key no tab has begun a session.
        if ((await this.restore()) || isLate || !(await this.#vault.hasKey())) return
        signal.throwIfAborted()
        await changed
      }
    } finally {
      cancel()
      signal.removeEventListener('abort', look)
      removeEventListener('storage', look)
    }
  }

  async begin(session: Omit<Session, 'sealed' | 'chain' | 'connectedAt'>, { key, token }: Secrets): Promise<void> {
    const sealed = await this.#vault.seal({ key: encode(key), token }, describeSession(session))
    const connectedAt = String(this.#kernel.clock.now())
    await this.#records.session.set({ ...session, chain: this.#options.chain, connectedAt, sealed })
    this.#show(session.address)
  }

  /**
   * Shows the accounts that another tab connected, without waiting for storage: the kernel hears of the connection from that tab
   * too, and would end the attempt.
   */
  adopt(accounts: unknown): void {
    this.#show(field(Array.isArray(accounts) ? accounts[0] : undefined, 'address'))
  }

  /** Deletes everything stored for the wallet (S4.4). Returns the ended session. */
  end(): Promise<OpenSession | undefined> {
    const run = async () => {
      const session = await this.#read()
      this.#show(undefined)
      await Promise.all([this.#records.pending.remove(), this.#records.session.remove(), this.#vault.forget()])
      return session
    }
    const ended = run()
    this.#ending = ended
    return ended
  }

  takePending(state: string): Promise<Pending | undefined> {
    return this.#records.pending.take(state)
  }

  /** Returns what `leave` sealed for the request. */
  openPending({ method, state, sealed }: Pending): Promise<unknown> {
    return this.#vault.open(sealed, describePending(method, state))
  }

  /** Leaves for the wallet. Settles only if the response comes while this page is still there, from another tab. */
  async leave({ method, publicKey, secret, parameters }: Departure, go: Leave, signal?: AbortSignal): Promise<unknown> {
    const state = createState()
    const { connectorId, mark } = this.#options
    const sealing = secret && this.#vault.seal(secret, describePending(method, state))
    const sealed = await sealing?.catch(cause => {
      throw new KeybayError(deepLinkStorageBlocked, { connectorId, cause })
    })
    if (!this.#kernel.storage.persistent) throw new KeybayError(deepLinkStorageBlocked, { connectorId })
    signal?.throwIfAborted()
    await this.#records.pending.set({
      method,
      state,
      publicKey,
      parameters: getHostParameters(mark),
      sealed: sealed ?? '',
    })
    const url = new URL(method, this.#wallet.baseUrl)
    const common = { dapp_encryption_public_key: publicKey, redirect_link: redirectLink(mark, state) }
    for (const [name, value] of Object.entries({ ...common, ...parameters })) url.searchParams.set(name, value)
    const response = this.waiting.expect(state, signal)
    try {
      return await Promise.race([go(url.href, state), response])
    } catch (error) {
      this.waiting.drop(state)
      // A disposed page may be leaving right now, and then needs its record. A newer request has its own.
      const { pending } = this.#records
      if (!isKeybayError(error, disposed) && (await pending.get())?.state === state) await pending.remove()
      throw error
    }
  }

  /** Leaves with a payload encrypted for the session. */
  send(
    { publicKey, key, token }: OpenSession,
    method: DeepLinkMethod,
    secret: object | undefined,
    payload: object,
  ): Promise<unknown> {
    const parameters = { ...seal({ ...payload, session: token }, key) }
    const { connectorId } = this.#options
    return this.leave({ method, publicKey, secret, parameters }, (url, state) =>
      this.#kernel.redirect(url, { connectorId, method, state }),
    )
  }

  async #read(): Promise<OpenSession | undefined> {
    const stored = await this.#records.session.get()
    const isCurrent = stored?.chain === this.#options.chain
    const secrets = isCurrent ? readSecrets(await this.#vault.open(stored.sealed, describeSession(stored))) : undefined
    this.#show(secrets && stored?.address)
    return stored && secrets && { ...stored, ...secrets }
  }

  #show(address: unknown): void {
    const publicKey = decode(address, KEY_BYTES)
    if (typeof address !== 'string' || !publicKey) this.#accounts = []
    else if (this.#accounts[0]?.address !== address)
      this.#accounts = [Object.freeze({ address, publicKey, chains: [this.#options.chain], features: FEATURES })]
  }
}
