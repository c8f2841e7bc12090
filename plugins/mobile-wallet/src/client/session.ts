/** Holds the authorisation of this app and the accounts that it gives, and takes the trips that need it. */
import { type AccountStore, accountStore, type ConnectContext, type Kernel } from '@keybay/kernel'
import { accountNotFound, connectTimeout, field, type KeybayError } from '@keybay/kernel/spec'
import type { AppIdentity, MobileWallet } from '@solana-mobile/mobile-wallet-adapter-protocol'
import type { SolanaMobileWalletAdapter } from '@solana-mobile/wallet-adapter-mobile'
import type { IdentifierString, WalletAccount } from '@wallet-standard/base'
import bs58 from 'bs58'
import { mobileWalletAnswerInvalid, mobileWalletSessionEnded } from '../errors.js'
import { connectFromCache, createAdapter, readAuthorisation } from './adapter.js'
import { requireLoopback } from './loopback.js'
import { startScenario } from './protocol.js'
import { type Authorisation, type AuthorisationRecord, createRecord } from './record.js'
import { AUTHORIZATION_FAILED, createError, toError } from './to-error.js'
import { takeTrip } from './trip.js'

const FEATURES = ['solana:signMessage', 'solana:signTransaction', 'solana:signAndSendTransaction'] as const

type Fail = (error: unknown) => void
type Consent = Partial<Pick<ConnectContext, 'signal' | 'prompt'>>
export interface SessionOptions {
  readonly kernel: Kernel
  readonly chain: IdentifierString
  readonly identity: AppIdentity | undefined
}

export class Session {
  readonly #kernel: Kernel
  readonly #chain: IdentifierString
  readonly #identity: AppIdentity
  readonly #record: AuthorisationRecord
  readonly #store = accountStore()

  constructor({ kernel, chain, identity }: SessionOptions) {
    this.#kernel = kernel
    this.#chain = chain
    this.#identity = { uri: location.origin, name: kernel.config.appName, ...identity }
    this.#record = createRecord(kernel)
  }
  get accounts(): readonly WalletAccount[] {
    return this.#store.accounts
  }
  get events(): AccountStore['events'] {
    return this.#store.events
  }
  /** Shows the stored accounts without contacting the wallet. */
  async restore(): Promise<readonly WalletAccount[]> {
    this.#show(await this.#find())
    return this.accounts
  }
  /** Asks the user in the wallet to connect. */
  authorise<T>(act: (adapter: SolanaMobileWalletAdapter) => Promise<T>, consent?: Consent): Promise<T> {
    return this.#trip(fail => act(this.#createAdapter(fail)), consent)
  }
  /** Returns the stored authorisation. @throws KeybayError `mobile_wallet_session_ended`, `account_not_found` */
  async require(addresses: readonly string[]): Promise<Authorisation> {
    const authorisation = await this.#find()
    this.#show(authorisation)
    if (!authorisation) throw createError(mobileWalletSessionEnded)
    this.#checkAccounts(addresses)
    return authorisation
  }
  /** Renews the authorisation and signs with one account, by the adapter. */
  use<T>(
    authorisation: Authorisation,
    address: string,
    act: (adapter: SolanaMobileWalletAdapter) => Promise<T>,
  ): Promise<T> {
    return this.#authorisedTrip(async fail => {
      const adapter = this.#createAdapter(fail, authorisation, address)
      await connectFromCache(adapter)
      return act(adapter)
    })
  }
  /** Renews the authorisation and sends one request for all addresses, which the adapter cannot do. */
  useProtocol<T>(
    authorisation: Authorisation,
    addresses: readonly string[],
    act: (wallet: MobileWallet) => Promise<T>,
  ): Promise<T> {
    return this.#authorisedTrip(() =>
      this.#withWallet(authorisation, async wallet => {
        const request = { auth_token: authorisation.token, chain: this.#chain, identity: this.#identity }
        this.#accept(await wallet.authorize(request), authorisation, addresses)
        return act(wallet)
      }),
    )
  }
  /** Forgets the authorisation, then revokes it in the wallet. */
  async end(): Promise<void> {
    const authorisation = await this.#record.get()
    await this.#forget()
    if (!authorisation) return
    await this.#trip(() =>
      this.#withWallet(authorisation, wallet => wallet.deauthorize({ auth_token: authorisation.token })),
    ).catch((error: KeybayError) => this.#kernel.logger.debug('mobile wallet: not revoked in the wallet', error))
  }
  async #withWallet<T>({ uriBase }: Authorisation, act: (wallet: MobileWallet) => Promise<T>): Promise<T> {
    const { wallet } = await startScenario(uriBase ? { baseUri: uriBase } : undefined)
    return act(await wallet)
  }
  async #trip<T>(act: (fail: Fail) => Promise<T>, { signal, prompt }: Consent = {}): Promise<T> {
    const { clock, config } = this.#kernel
    const createTimeoutError = () => createError(connectTimeout)
    try {
      await requireLoopback(prompt)
      return await takeTrip({ signal, clock, timeoutMs: config.connectTimeout, createTimeoutError }, act)
    } catch (thrown) {
      throw toError(thrown)
    } finally {
      await this.#record.stored()
    }
  }
  async #authorisedTrip<T>(act: (fail: Fail) => Promise<T>): Promise<T> {
    try {
      return await this.#trip(act)
    } catch (thrown) {
      if (field(field(thrown, 'cause'), 'code') !== AUTHORIZATION_FAILED) throw thrown
      await this.#forget()
      throw createError(mobileWalletSessionEnded, { cause: thrown })
    }
  }
  #createAdapter(fail: Fail, authorisation?: Authorisation, address?: string): SolanaMobileWalletAdapter {
    const onAuthorised = (result: unknown) => {
      try {
        this.#accept(result, authorisation, address === undefined ? [] : [address])
      } catch (error) {
        fail(error)
        throw error
      }
    }
    const options = { chain: this.#chain, identity: this.#identity, onAuthorised }
    return createAdapter({ ...options, ...(authorisation && { authorisation }), ...(address && { address }) })
  }
  /** Stores a new authorisation. @throws KeybayError unless it is valid and has all of the addresses */
  #accept(result: unknown, previous: Authorisation | undefined, addresses: readonly string[]) {
    const authorisation = readAuthorisation(result, previous ?? { chain: this.#chain, uriBase: '' })
    if (!authorisation) throw createError(mobileWalletAnswerInvalid)
    this.#record.set(authorisation)
    this.#show(authorisation)
    this.#checkAccounts(addresses)
  }
  #checkAccounts(addresses: readonly string[]) {
    const known = new Set(this.accounts.map(({ address }) => address))
    if (!addresses.every(address => known.has(address))) throw createError(accountNotFound)
  }
  async #find(): Promise<Authorisation | undefined> {
    const authorisation = await this.#record.get()
    return authorisation?.chain === this.#chain ? authorisation : undefined
  }
  async #forget() {
    this.#show(undefined)
    await this.#record.remove()
  }
  #show(authorisation: Authorisation | undefined) {
    const accounts = (authorisation?.accounts ?? []).map(({ address, label }) =>
      Object.freeze({
        address,
        publicKey: bs58.decode(address),
        chains: [this.#chain],
        features: FEATURES,
        ...(label && { label }),
      }),
    )
    this.#store.set(accounts)
  }
}
