/** Manages the user's custody wallets, session key, wallet and recovery. Loads with the first call. */
import { type AccountStore, accountStore, type Kernel } from '@keybay/kernel'
import {
  accountNotFound,
  displayContainerMissing,
  sessionMissing,
  throwMessageError,
  type WalletBackend,
  type WalletCredential,
  webauthnIdentifierMissing,
} from '@keybay/kernel/spec'
import type { Wallet, WalletAccount } from '@wallet-standard/base'
import type { CreateWalletOptions, ExportKeyOptions, ExportTarget, SessionState, TurnkeyEngineApi } from './api.js'
import { Calls } from './calls.js'
import { type Custody, NO_CUSTODY, readCustody } from './custody.js'
import { turnkeyError } from './errors.js'
import type { ToSign } from './export/messages.js'
import { createPasskey } from './passkey.js'
import { createRecovery, type Recovery } from './recovery.js'
import { toTurnkeyError } from './service.js'
import { Sessions } from './session.js'
import { createSigning } from './signing.js'
import type { ServiceOptions, Tools } from './tools.js'
import { createWallet, toAccounts, type WalletIdentity } from './wallet.js'

/** `walletName` of a standalone key. Wallet accounts use the backend `turnkeyhd`. */
const STANDALONE_KEY: WalletBackend = 'turnkey'

type LoadWindow = () => Promise<typeof import('./export/window.js')>

export class Engine {
  readonly api: TurnkeyEngineApi
  readonly wallet: Wallet
  readonly #tools: Tools
  readonly #chains: WalletIdentity['chains']
  readonly #loadWindow: LoadWindow
  readonly #sessions: Sessions
  readonly #recovery: Recovery
  readonly #calls: Calls
  readonly #store: AccountStore = accountStore()
  #connected = false
  /** User whose wallets or session key are loaded. */
  #userId: string | undefined
  #custody: Custody = NO_CUSTODY

  constructor(kernel: Kernel<'account'>, options: ServiceOptions, identity: WalletIdentity, loadWindow: LoadWindow) {
    this.#loadWindow = loadWindow
    const tools: Tools = { kernel, account: kernel.plugins.account, options }
    this.#tools = tools
    this.#chains = identity.chains
    this.#sessions = new Sessions(tools)
    this.#recovery = createRecovery(tools)
    const organization = () => this.#getOrganization()
    this.#calls = new Calls(tools, this.#sessions, organization)
    const signing = createSigning({
      sessions: this.#sessions,
      organization,
      wallets: () => this.#custody.wallets,
      ask: toSign => this.#ask(toSign),
    })
    this.api = this.#createApi(signing.typedData)
    this.wallet = createWallet({
      identity,
      store: this.#store,
      signing: {
        messages: this.#explainMessage(signing.messages),
        transaction: this.#explain(signing.transaction),
        typedData: this.api.signTypedData,
      },
      connect: () => this.connect(),
      disconnect: () => this.#disconnect(),
    })
    const off = kernel.session.subscribe(() => this.#followSession())
    kernel.onDispose(() => {
      off()
      this.#sessions.release()
      this.#recovery.end()
    })
  }

  /** @throws KeybayError `session_missing`, `account_not_found`; the signal's reason */
  async connect(signal?: AbortSignal): Promise<readonly WalletAccount[]> {
    const { session } = this.#tools.kernel
    await session.restore()
    signal?.throwIfAborted()
    if (session.current.status !== 'authenticated') throw turnkeyError(sessionMissing, { detail: 'sign in first' })
    if ((await this.api.wallets()).length === 0)
      throw turnkeyError(accountNotFound, { detail: 'create a wallet first' })
    signal?.throwIfAborted()
    this.#connected = true
    this.#show()
    return this.#store.accounts
  }

  async #disconnect(): Promise<void> {
    this.#connected = false
    this.#show()
    await this.#sessions.end()
  }

  #createApi(signTypedData: TurnkeyEngineApi['signTypedData']): TurnkeyEngineApi {
    const calls = this.#calls
    const sessions = this.#sessions
    const recovery = this.#recovery
    return {
      createWallet: this.#explain(options => this.#createWallet(options)),
      wallets: this.#explain(() => this.#loadWallets()),
      addAccount: this.#explain(async options => {
        const address = await calls.addAccount(options)
        await this.#loadWallets()
        return address
      }),
      addPasskey: this.#explain(name => calls.addPasskey(name)),
      user: this.#explain(() => calls.user()),
      updateEmail: this.#explain(email => calls.updateEmail(email)),
      activities: this.#explain(() => calls.activities()),
      session: () => this.#getSession(),
      endSession: () => sessions.end(),
      recovery: async () => recovery.state,
      beginRecovery: this.#explain(recovery.begin),
      completeRecovery: this.#explain(async options => {
        await recovery.complete(options)
        // Ends the lost device's session key, if this page had it.
        await sessions.end()
        return this.#loadWallets()
      }),
      signTypedData: this.#explainMessage(signTypedData),
      exportKey: this.#explain((address, options) => this.#exportKey(address, options)),
      exportWallet: this.#explain((walletId, target) => calls.exportWallet(walletId, target)),
      exportWalletAccount: this.#explain((address, target) => this.#exportAccount(address, target)),
      exportPrivateKey: this.#explain((privateKeyId, target) => calls.exportPrivateKey(privateKeyId, target)),
    }
  }

  /** As `#explain`, for calls that sign a message. */
  #explainMessage<A extends readonly unknown[], R>(call: (...args: A) => Promise<R>): (...args: A) => Promise<R> {
    const explained = this.#explain(call)
    return (...args) => explained(...args).catch(throwMessageError)
  }

  /** Converts the errors of a call to KeybayErrors, and logs them. */
  #explain<A extends readonly unknown[], R>(call: (...args: A) => Promise<R>): (...args: A) => Promise<R> {
    return async (...args) => {
      try {
        return await call(...args)
      } catch (thrown) {
        const error = toTurnkeyError(thrown)
        this.#tools.kernel.logger.warn('turnkey', error)
        throw error
      }
    }
  }

  async #createWallet({ passkeyName }: CreateWalletOptions = {}): Promise<readonly WalletCredential[]> {
    const { account } = this.#tools
    const user = account.user.current.user ?? (await account.user.refresh())
    const userName = passkeyName || user?.email
    if (!userName) throw turnkeyError(webauthnIdentifierMissing)
    const body = await createPasskey(this.#tools, userName)
    return this.#setCustody(await account.request('/custody', { method: 'POST', body }))
  }

  async #loadWallets(): Promise<readonly WalletCredential[]> {
    return this.#setCustody(await this.#tools.account.request('/custody'))
  }

  #setCustody(response: unknown): readonly WalletCredential[] {
    const { session, events } = this.#tools.kernel
    this.#custody = readCustody(response)
    this.#userId = session.current.userId
    if (this.#connected) this.#show()
    const { wallets } = this.#custody
    events.emit('turnkey:wallets', { wallets })
    return wallets
  }

  /** @throws KeybayError `account_not_found` if the user has no wallet yet */
  async #getOrganization(): Promise<string> {
    if (this.#custody.organizationId === undefined) await this.#loadWallets()
    const { organizationId } = this.#custody
    if (organizationId === undefined) throw turnkeyError(accountNotFound, { detail: 'create a wallet first' })
    return organizationId
  }

  async #getSession(): Promise<SessionState> {
    const { session } = this.#tools.kernel
    await session.restore()
    if (session.current.status === 'authenticated') this.#userId = session.current.userId
    return this.#sessions.state()
  }

  /** Clears all state when another user signs in, or the user signs out. */
  #followSession(): void {
    const { status, userId } = this.#tools.kernel.session.current
    if (status === 'authenticating' || (status === 'authenticated' && userId === this.#userId)) return
    if (this.#userId === undefined) return
    this.#userId = undefined
    this.#custody = NO_CUSTODY
    void this.#sessions.end()
    this.#recovery.end()
    this.#store.set([])
  }

  #show(): void {
    this.#store.set(this.#connected ? toAccounts(this.#custody.wallets, this.#chains) : [])
  }

  /** Asks the user in the custody window. It closes with the session. */
  async #ask(sign: ToSign): Promise<void> {
    if (this.#tools.options.signingWindow === false) return
    const { getFrameHost, showInWindow } = await this.#loadWindow()
    await showInWindow(this.#tools, { frameHost: getFrameHost(this.#tools), sign, signal: this.#sessions.signal })
  }

  async #exportAccount(address: string, target: ExportTarget): Promise<string> {
    await this.#getOrganization()
    const key = this.#custody.wallets.find(wallet => wallet.address === address && wallet.walletName === STANDALONE_KEY)
    return key ? this.#calls.exportPrivateKey(key.id, target) : this.#calls.exportWalletAccount(address, target)
  }

  async #exportKey(address: string, options: ExportKeyOptions | undefined): Promise<void> {
    const { displayContainer: container, words = false, signal } = options ?? {}
    if (!(container instanceof Element)) throw turnkeyError(displayContainerMissing)
    const { getFrameHost, showInWindow } = await this.#loadWindow()
    const frameHost = getFrameHost(this.#tools)
    const organizationId = await this.#getOrganization()
    const account = this.#custody.wallets.find(wallet => wallet.address === address)
    if (!account) throw turnkeyError(accountNotFound)
    // Runs within the click, because the session may need the passkey.
    const wallet = words ? await this.#calls.getWordsWallet(address) : undefined
    const seal = async (targetPublicKey: string) => {
      const target = { targetPublicKey }
      if (wallet) {
        const exportBundle = await this.#calls.exportWallet(wallet.walletId, target)
        return { organizationId, exportBundle, address: wallet.address, path: wallet.path, chain: 'SOL' as const }
      }
      const chain = account.chain === 'EVM' ? 'EVM' : 'SOL'
      return { organizationId, exportBundle: await this.#exportAccount(address, target), address, chain } as const
    }
    await showInWindow(this.#tools, { frameHost, container, signal, seal })
  }
}
