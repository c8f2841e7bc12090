/** What loads with the first call: the frame, the operations, the real wallet, and who is signed in. */
import type { Kernel } from '@keybay/kernel'
import { messageHandlerMissing } from '@keybay/kernel/spec'
import type { Wallet, WalletAccount } from '@wallet-standard/base'
import { assertBackupFits } from '../protocol/backup-scheme.js'
import { embeddedWalletsDisabled } from '../protocol/errors.js'
import { fault, toFault } from '../protocol/fault.js'
import type { WaasWallet } from '../protocol/wallet.js'
import type { CallOptions, CreateWalletOptions, WaasEngine } from './api.js'
import { chainOfAddress } from './chains.js'
import { withDebug } from './debug.js'
import { adoptClientErrors, type ClientErrors, sessionMissing } from './errors.js'
import { authTokenOf, createPerform, type Perform, type PerformOptions } from './operations.js'
import { type FrameOptions, type FrameParameters, resolveParameters } from './parameters.js'
import { createRecovery } from './recovery.js'
import { acquireFrame, type FrameHandle } from './shared-frame.js'
import { assertTenure, createTenures, type Tenure } from './tenure.js'
import { createAccountStore, createWallet } from './wallet.js'

export interface Engine {
  /** @param expected the user for whom the call was made, if one was known. @throws KeybayError as `Tenures.current` */
  as(expected: string | undefined): Promise<WaasEngine>
  readonly wallet: Wallet
  connect(options: Pick<PerformOptions, 'signal' | 'silent'>): Promise<readonly WalletAccount[]>
  disconnect(): Promise<void>
}
type Rest = readonly [
  options: FrameOptions & Pick<FrameParameters, 'sdkVersion'>,
  face: Pick<Wallet, 'name' | 'icon' | 'chains'>,
  errors: ClientErrors,
]

function showOf({ signal, displayContainer }: CallOptions): PerformOptions {
  return { signal, displayContainer }
}
const SOL = { chainName: 'SOL' } as const

/** @throws KeybayError `embedded_wallets_disabled` */
async function enabledSettings(
  account: Kernel<'account'>['plugins']['account'],
  { signal }: Pick<CallOptions, 'signal'>,
) {
  const { embeddedWallets } = await account.settings(signal ? { signal } : {})
  if (!embeddedWallets.enabled) throw fault(embeddedWalletsDisabled)
  return embeddedWallets
}

/** What the users of one instance share. */
interface Shared {
  readonly kernel: Kernel<'account'>
  readonly options: Rest[0]
  readonly parameters: FrameParameters
  /** Shows the wallets of the user who is signed in. */
  readonly show: (wallets: readonly WaasWallet[]) => void
}
interface UserEngine {
  readonly api: WaasEngine
  readonly perform: Perform
  list(how: PerformOptions): Promise<readonly WaasWallet[]>
  /** The wallets as they are known. */
  known(): readonly WaasWallet[]
  end(): void
}

/** Everything one user does, in frames that go with the tenure. */
function createUserEngine({ kernel, options, parameters, show: showAll }: Shared, tenure: Tenure): UserEngine {
  const { events, clock, logger } = kernel
  const { account } = kernel.plugins
  let known: readonly WaasWallet[] = []
  let handle: FrameHandle | undefined

  const frame = (): FrameHandle => {
    assertTenure(tenure)
    // Of an instance that was disposed nothing is registered any more.
    if (!handle && !kernel.connectors.get('waas')) throw fault(messageHandlerMissing)
    handle ??= acquireFrame({
      parameters,
      userId: tenure.userId,
      clock,
      logger,
      authToken: () => authTokenOf(kernel, tenure),
      onState: state => events.emit('waas:frame', { state }),
    })
    return handle
  }
  const release = () => handle?.release()
  kernel.onDispose(release)
  const plain = createPerform({ kernel, parameters, frame, options, tenure })
  const perform = options.debug ? withDebug(plain, kernel) : plain

  const { chains = ['SOL'] } = options
  const show = (wallets: readonly WaasWallet[]) => {
    assertTenure(tenure)
    known = wallets
    showAll(known)
  }
  const list = async (how: PerformOptions) => {
    const lists = await Promise.all(chains.map(chainName => perform('getWallets', { chainName }, how)))
    const wallets = lists.flat().toSorted((a, b) => a.createdAt - b.createdAt)
    show(wallets)
    return wallets
  }
  /** An operation's answer is newer than the list. */
  const changed = <T extends { readonly wallet: WaasWallet }>(answer: T): T => {
    const others = known.filter(({ walletId }) => walletId !== answer.wallet.walletId)
    const place = known.findIndex(({ walletId }) => walletId === answer.wallet.walletId)
    show(place < 0 ? [...known, answer.wallet] : others.toSpliced(place, 0, answer.wallet))
    events.emit('waas:wallets-changed', {})
    return answer
  }
  /** The answer of an operation stands, whether or not the list comes. */
  const relist = async (how: CallOptions): Promise<void> => {
    await list({ ...showOf(how), silent: true }).catch(error => logger.debug('waas list', error))
    events.emit('waas:wallets-changed', {})
  }
  /** Before the frame is asked for anything. @throws KeybayError `embedded_wallets_disabled`, `backup_unsupported` */
  const schemeOf = async (input: CreateWalletOptions) => {
    const { thresholdSignatureScheme } = await enabledSettings(account, input)
    const { scheme = thresholdSignatureScheme, backup } = input
    assertBackupFits(scheme, backup)
    return scheme
  }
  const at = (accountAddress: string) => ({ chainName: chainOfAddress(accountAddress), accountAddress })
  const api: WaasEngine = {
    ...createRecovery({ perform, frame, list, relist, changed, signal: tenure.signal }),
    async createWallet(input = {}) {
      const { chain: chainName = 'SOL', exportable, backup, password, idempotencyKey } = input
      const request = { chainName, thresholdSignatureScheme: await schemeOf(input), exportable, backup, password }
      const keyed = idempotencyKey === undefined ? request : { ...request, idempotencyKey }
      return changed(await perform('createWalletAccount', keyed, showOf(input)))
    },
    async importPrivateKey(input = {}) {
      const { privateKey, exportable, backup, password, idempotencyKey } = input
      const request = {
        ...SOL,
        thresholdSignatureScheme: await schemeOf(input),
        exportable,
        backup,
        password,
        privateKey,
      }
      const keyed = idempotencyKey === undefined ? request : { ...request, idempotencyKey }
      // Without a key the user enters it where the page cannot see it.
      return changed(await perform('importPrivateKey', keyed, { ...showOf(input), visible: privateKey === undefined }))
    },
    wallets: (how = {}) => list(showOf(how)),
    wallet: (address, walletOperation, { password, ...how } = {}) =>
      perform('getWallet', { ...at(address), walletOperation, password }, showOf(how)),
    refresh: async (address, { backup, password, ...how } = {}) =>
      changed(await perform('refreshWalletAccountShares', { ...at(address), backup, password }, showOf(how))),
    async reshare(address, { to, backup, password, ...how }) {
      assertBackupFits(to, backup)
      const { thresholdSignatureScheme: old } = await find(address, how)
      const schemes = { oldThresholdSignatureScheme: old, newThresholdSignatureScheme: to }
      return changed(await perform('reshare', { ...at(address), ...schemes, backup, password }, showOf(how)))
    },
    async backup(address, { backup, reshare = false, password, ...how }) {
      const { thresholdSignatureScheme: scheme } = await find(address, how)
      if (scheme === 'TWO_OF_TWO' && reshare) {
        const { backup: receipt } = await api.reshare(address, { to: 'TWO_OF_THREE', backup, password, ...how })
        if (receipt) return receipt
      }
      const { provider } = backup
      const receipt =
        provider === 'googleDrive' && backup.password === undefined
          ? await perform('backupKeySharesToGoogleDrive', { ...at(address), password }, showOf(how))
          : await perform('backupKeyShares', { ...at(address), backup, password }, showOf(how))
      await relist(how)
      return receipt
    },
    async verifyBackup(address, { backup, password, ...how }) {
      // What is missing is known from here on too.
      return perform('verifyBackup', { ...at(address), backup, password }, showOf(how)).finally(() => relist(how))
    },
    async setPolicy(address, policy, { setId, password, ...how } = {}) {
      const set = setId ?? (await find(address, how)).setId
      const request = { ...at(address), setId: set, policy, password }
      return changed(await perform('setPolicy', request, showOf(how))).wallet
    },
    revokeSet: async (address, setId, { password, ...how } = {}) =>
      changed(await perform('revokeSet', { ...at(address), setId, password }, showOf(how))).wallet,
    delegateKeyShares: (address, { delegatePublicKey, delegateName, policy, password, ...how }) => {
      const request = { ...at(address), delegatePublicKey, delegateName, policy, password }
      return perform('delegateKeyShares', request, { ...showOf(how), visible: true })
    },
    addDevice: async (address, { backup, password, ...how } = {}) =>
      changed(await perform('addDevice', { ...at(address), backup, password }, showOf(how))).wallet,
  }
  /** Of whichever chain, also of one that is not listed. */
  const find = async (address: string, how: CallOptions): Promise<WaasWallet> =>
    (await api.wallet(address, undefined, how)).wallet
  return { api, perform, list, known: () => known, end: release }
}

function createEngine(kernel: Kernel<'account'>, ...[options, face, errors]: Rest): Engine {
  adoptClientErrors(errors)
  const { session, events, config } = kernel
  const store = createAccountStore(face.chains)
  // First, so that a missing host is an error before any frame or request. `self.origin`, because `location.origin` of a
  // sandboxed page is what its origin would be without the sandbox.
  const parameters = resolveParameters(options, config, self.origin)
  const { chains = ['SOL'] } = options
  let connected = false
  const show = (wallets: readonly WaasWallet[]) => {
    if (connected) store.show(wallets.filter(({ chainName }) => chains.some(chain => chain === chainName)))
  }
  const shared: Shared = { kernel, options, parameters, show }
  const follow = (userId: string | undefined) => {
    store.show([])
    if (userId === undefined || !connected) return
    tenures
      .current(userId)
      .then(user => user.list({ silent: true }))
      .catch(error => events.emit('waas:failed', { error: toFault(error) }))
  }
  const tenures = createTenures(kernel, tenure => createUserEngine(shared, tenure), follow)
  kernel.onDispose(tenures.stop)
  const as: Engine['as'] = async expected => (await tenures.current(expected)).api

  const connect: Engine['connect'] = async how => {
    await session.restore()
    if (session.current.status !== 'authenticated') throw sessionMissing()
    const user = await tenures.current()
    await user.list(how)
    if (user.known().length === 0) await enabledSettings(kernel.plugins.account, how)
    connected = true
    show(user.known())
    return store.accounts
  }
  const disconnect = async () => {
    connected = false
    store.show([])
  }
  const perform: Perform = async (type, request, how) => {
    const { userId } = session.current
    return (await tenures.current(userId)).perform(type, request, how)
  }
  const wallet = createWallet({
    face,
    store,
    perform,
    api: () => as(session.current.userId),
    connect: silent => connect({ silent }),
    disconnect,
  })
  return { as, wallet, connect, disconnect }
}

const engines = new WeakMap<Kernel<'account'>, Engine>()
/** The one engine of an instance, kept here because every byte of the plugin's own file is in the page's first chunk. */
export function engineOf(kernel: Kernel<'account'>, ...rest: Rest): Engine {
  const engine = engines.get(kernel) ?? createEngine(kernel, ...rest)
  engines.set(kernel, engine)
  return engine
}
