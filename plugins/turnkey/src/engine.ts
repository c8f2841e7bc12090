/** What loads with the first call: whose wallets, the session's key, the real wallet, recovery. */
import type { Kernel } from '@keybay/kernel'
import {
  displayContainerMissing,
  recordInvalid,
  type WalletBackend,
  type WalletCredential,
  webauthnIdentifierMissing,
} from '@keybay/kernel/spec'
import type { Wallet, WalletAccount } from '@wallet-standard/base'
import type { AddAccountOptions, ExportTarget, TurnkeyEngineApi } from './api.js'
import { createCalls } from './calls.js'
import { createPasskey } from './passkey.js'
import { createRecovery } from './recovery.js'
import { explain } from './service.js'
import { createSessions } from './session.js'
import { createSigning } from './signing.js'
import { createTools, type KernelErrors, type ServiceOptions, type Tools } from './tools.js'
import { createAccountStore, createWallet } from './wallet.js'

export interface Engine {
  readonly api: TurnkeyEngineApi
  readonly wallet: Wallet
  /** @throws KeybayError `session_missing`, `account_not_found`; the signal's reason */
  connect(signal?: AbortSignal): Promise<readonly WalletAccount[]>
}
type Rest = readonly [options: ServiceOptions, face: Pick<Wallet, 'name' | 'icon' | 'chains'>, errors: KernelErrors]

interface Known {
  readonly organizationId: string | undefined
  readonly wallets: readonly WalletCredential[]
}

/** As an account is listed that is a key of its own. The accounts of wallets are of the backend `turnkeyhd`. */
const OF_NO_WALLET: WalletBackend = 'turnkey'

/** S3.3: undefined when it is none. */
function readCredential(value: unknown): WalletCredential | undefined {
  const field = (name: string): unknown => Reflect.get(Object(value), name)
  const [id, address, chain, walletName] = [field('id'), field('address'), field('chain'), field('walletName')]
  const turnkeySubOrganizationId: unknown = Reflect.get(Object(field('walletProperties')), 'turnkeySubOrganizationId')
  if (typeof id !== 'string' || typeof address !== 'string' || typeof walletName !== 'string') return undefined
  if ((chain !== 'SOL' && chain !== 'EVM') || typeof turnkeySubOrganizationId !== 'string') return undefined
  const isSessionKeyCompatible = Reflect.get(Object(field('walletProperties')), 'isSessionKeyCompatible') === true
  return { id, address, chain, walletName, walletProperties: { turnkeySubOrganizationId, isSessionKeyCompatible } }
}

/** The product API's answer. @throws KeybayError `record_invalid` */
function readCustody({ fault }: Tools, answer: unknown): Known {
  const organizationId: unknown = Reflect.get(Object(answer), 'organizationId')
  const wallets: unknown = Reflect.get(Object(answer), 'wallets')
  if (!Array.isArray(wallets) || (organizationId !== null && typeof organizationId !== 'string'))
    throw fault(recordInvalid)
  const read = wallets.map(readCredential).filter(one => one !== undefined)
  if (read.length < wallets.length) throw fault(recordInvalid)
  return { organizationId: organizationId ?? undefined, wallets: read }
}

/** Every failure of a call in the kit's words; a user's own refusal is a warning at most. */
function explained(tools: Tools, api: TurnkeyEngineApi): TurnkeyEngineApi {
  const wrap =
    <A extends readonly unknown[], R>(call: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      try {
        return await call(...args)
      } catch (error) {
        const fault = explain(tools, error)
        tools.kernel.logger.warn('turnkey', fault)
        throw fault
      }
    }
  return {
    createWallet: wrap(api.createWallet),
    wallets: wrap(api.wallets),
    addAccount: wrap(api.addAccount),
    addPasskey: wrap(api.addPasskey),
    user: wrap(api.user),
    updateEmail: wrap(api.updateEmail),
    activities: wrap(api.activities),
    session: api.session,
    endSession: api.endSession,
    recovery: api.recovery,
    beginRecovery: wrap(api.beginRecovery),
    completeRecovery: wrap(api.completeRecovery),
    signTypedData: wrap(api.signTypedData),
    exportKey: wrap(api.exportKey),
    exportWallet: wrap(api.exportWallet),
    exportWalletAccount: wrap(api.exportWalletAccount),
    exportPrivateKey: wrap(api.exportPrivateKey),
  }
}

function createEngine(kernel: Kernel<'account'>, ...[options, face, errors]: Rest): Engine {
  const tools = createTools(kernel, options, errors)
  const { account, fault } = tools
  const [, , , accountNotFound, sessionMissing] = errors
  const sessions = createSessions(tools)
  const recovery = createRecovery(tools)
  const store = createAccountStore(face.chains)
  let connected = false
  /** Whose wallets are known; undefined: nobody's. */
  let owner: string | undefined
  let known: Known = { organizationId: undefined, wallets: [] }

  const keep = (next: Known): readonly WalletCredential[] => {
    known = next
    owner = kernel.session.current.userId
    if (connected) store.show(known.wallets)
    kernel.events.emit('turnkey:wallets', { wallets: known.wallets })
    return known.wallets
  }
  const list = async () => keep(readCustody(tools, await account.request('/custody')))
  /** @throws KeybayError `account_not_found` when the user has no wallet yet */
  const organization = async (): Promise<string> => {
    if (known.organizationId === undefined) await list()
    if (known.organizationId === undefined) throw fault(accountNotFound, { detail: 'create a wallet first' })
    return known.organizationId
  }
  const forget = () => {
    owner = undefined
    known = { organizationId: undefined, wallets: [] }
    sessions.end()
    recovery.end()
    store.show([])
  }
  const offSession = kernel.session.subscribe(() => {
    const { status, userId } = kernel.session.current
    if (status === 'authenticating' || (status === 'authenticated' && userId === owner)) return
    if (owner !== undefined) forget()
  })
  kernel.onDispose(() => {
    offSession()
    sessions.end()
    recovery.end()
  })

  const signing = createSigning(tools, { sessions, organization, wallets: () => known.wallets })
  const calls = createCalls(tools, { sessions, organization })

  const exportWalletAccount = async (address: string, target: ExportTarget): Promise<string> => {
    await organization()
    const key = known.wallets.find(one => one.address === address && one.walletName === OF_NO_WALLET)
    return key ? calls.exportPrivateKey(key.id, target) : calls.exportWalletAccount(address, target)
  }

  const api = explained(tools, {
    ...calls,
    exportWalletAccount,
    wallets: list,
    async createWallet({ passkeyName } = {}) {
      const user = account.user.current.user ?? (await account.user.refresh())
      const userName = passkeyName || user?.email
      if (!userName) throw fault(webauthnIdentifierMissing)
      const body = await createPasskey(tools, userName)
      return keep(readCustody(tools, await account.request('/custody', { method: 'POST', body })))
    },
    async addAccount(wanted: AddAccountOptions) {
      const address = await calls.addAccount(wanted)
      await list()
      return address
    },
    session: async () => sessions.state,
    endSession: async () => sessions.end(),
    recovery: async () => recovery.state,
    beginRecovery: recovery.begin,
    async completeRecovery(given) {
      await recovery.complete(given)
      // A key of the lost device, if this page had one, is not the way on.
      sessions.end()
      return list()
    },
    signTypedData: signing.typedData,
    async exportKey(address, given) {
      const { displayContainer, words = false, signal } = given ?? {}
      if (!(displayContainer instanceof Element)) throw fault(displayContainerMissing)
      const { frameHostOf, showInWindow } = await import('./export/window.js')
      const frameHost = frameHostOf(tools)
      const organizationId = await organization()
      const account = known.wallets.find(one => one.address === address)
      if (!account) throw fault(accountNotFound)
      // Now, while the click still counts: the session's passkey may be asked for.
      const wallet = words ? await calls.walletOf(address) : undefined
      await showInWindow(tools, {
        frameHost,
        container: displayContainer,
        signal,
        seal: async targetPublicKey =>
          wallet
            ? {
                organizationId,
                exportBundle: await calls.exportWallet(wallet.walletId, { targetPublicKey }),
                address: wallet.address,
                path: wallet.path,
                chain: 'SOL',
              }
            : {
                organizationId,
                exportBundle: await exportWalletAccount(address, { targetPublicKey }),
                address,
                chain: account.chain === 'EVM' ? 'EVM' : 'SOL',
              },
      })
    },
  })

  const connect = async (signal?: AbortSignal): Promise<readonly WalletAccount[]> => {
    await kernel.session.restore()
    signal?.throwIfAborted()
    if (kernel.session.current.status !== 'authenticated') throw fault(sessionMissing, { detail: 'sign in first' })
    if ((await api.wallets()).length === 0) throw fault(accountNotFound, { detail: 'create a wallet first' })
    signal?.throwIfAborted()
    connected = true
    store.show(known.wallets)
    return store.accounts
  }
  const disconnect = async () => {
    connected = false
    sessions.end()
    store.show([])
  }
  const wrapped = {
    ...signing,
    messages: (...args: Parameters<typeof signing.messages>) => rethrow(tools, signing.messages(...args)),
    transaction: (...args: Parameters<typeof signing.transaction>) => rethrow(tools, signing.transaction(...args)),
    typedData: api.signTypedData,
  }
  return { api, connect, wallet: createWallet({ face, store, signing: wrapped, connect, disconnect }) }
}

async function rethrow<T>(tools: Tools, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    const fault = explain(tools, error)
    tools.kernel.logger.warn('turnkey', fault)
    throw fault
  }
}

const engines = new WeakMap<Kernel<'account'>, Engine>()
/** The one engine of an instance, kept here because every byte of the plugin's own file is in the page's first chunk. */
export function engineOf(kernel: Kernel<'account'>, ...rest: Rest): Engine {
  const engine = engines.get(kernel) ?? createEngine(kernel, ...rest)
  engines.set(kernel, engine)
  return engine
}
