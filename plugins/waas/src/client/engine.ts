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
import { authTokenOf, createPerform, type PerformOptions } from './operations.js'
import { type FrameOptions, type FrameParameters, resolveParameters } from './parameters.js'
import { createRecovery } from './recovery.js'
import { acquireFrame, type FrameHandle } from './shared-frame.js'
import { createAccountStore, createWallet } from './wallet.js'

export interface Engine {
  readonly api: WaasEngine
  readonly wallet: Wallet
  connect(options: Pick<PerformOptions, 'signal' | 'silent'>): Promise<readonly WalletAccount[]>
  disconnect(): Promise<void>
}
type Rest = readonly [
  options: FrameOptions & Pick<FrameParameters, 'sdkVersion'>,
  face: Pick<Wallet, 'name' | 'icon' | 'chains'>,
  errors: ClientErrors,
]

const showOf = ({ signal, displayContainer }: CallOptions): PerformOptions => ({ signal, displayContainer })
const SOL = { chainName: 'SOL' } as const

const createEngine = (kernel: Kernel<'account'>, ...[options, face, errors]: Rest): Engine => {
  adoptClientErrors(errors)
  const { session, events, clock, logger, config } = kernel
  const { account } = kernel.plugins
  const store = createAccountStore(face.chains)
  // First, so that a missing host is an error before any frame or request. `self.origin`, because `location.origin` of a
  // sandboxed page is what its origin would be without the sandbox.
  const resolved = resolveParameters(options, config, self.origin)
  const parameters = () => resolved
  /** Whose wallets are shown; undefined: nobody's. */
  let owner: string | undefined
  let connected = false
  let known: readonly WaasWallet[] = []
  let handle: FrameHandle | undefined

  const frame = (): FrameHandle => {
    // Of an instance that was disposed nothing is registered any more.
    if (!handle && !kernel.connectors.get('waas')) throw fault(messageHandlerMissing)
    handle ??= acquireFrame({
      parameters: parameters(),
      userId: session.current.userId ?? '',
      clock,
      logger,
      authToken: () => authTokenOf(kernel),
      onState: state => events.emit('waas:frame', { state }),
    })
    return handle
  }
  const plain = createPerform(kernel, parameters, frame, options)
  const perform = options.debug ? withDebug(plain, kernel) : plain

  const { chains = ['SOL'] } = options
  const isListed = ({ chainName }: WaasWallet) => chains.some(chain => chain === chainName)
  const show = (wallets: readonly WaasWallet[]) => {
    known = wallets
    if (connected) store.show(known.filter(isListed))
  }
  const list = async (how: PerformOptions) => {
    const lists = await Promise.all(chains.map(chainName => perform('getWallets', { chainName }, how)))
    const wallets = lists.flat().toSorted((a, b) => a.createdAt - b.createdAt)
    owner = session.current.userId
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
  const forget = () => {
    const old = handle
    handle = undefined
    owner = undefined
    known = []
    store.show([])
    if (old?.state === 'ready')
      void old
        .ready()
        .then(sender => sender.send('cleanup', SOL))
        .catch(error => logger.debug('waas cleanup', error))
        .finally(old.release)
    else old?.release()
  }
  const isSignedIn = () => session.current.status === 'authenticated'
  const offSession = session.subscribe(() => {
    const { userId, status } = session.current
    if (status === 'authenticating' || (isSignedIn() && userId === owner)) return
    if (owner !== undefined) forget()
    if (isSignedIn() && connected)
      list({ silent: true }).catch(error => events.emit('waas:failed', { error: toFault(error) }))
  })
  kernel.onDispose(() => {
    offSession()
    handle?.release()
  })

  const connect: Engine['connect'] = async how => {
    await session.restore()
    if (!isSignedIn()) throw sessionMissing()
    const wallets = await list(how)
    if (wallets.length === 0) await enabledSettings(how)
    connected = true
    show(wallets)
    return store.accounts
  }
  const disconnect = async () => {
    connected = false
    store.show([])
  }
  /** @throws KeybayError `embedded_wallets_disabled` */
  const enabledSettings = async ({ signal }: Pick<CallOptions, 'signal'>) => {
    const { embeddedWallets } = await account.settings(signal ? { signal } : {})
    if (!embeddedWallets.enabled) throw fault(embeddedWalletsDisabled)
    return embeddedWallets
  }
  /** Before the frame is asked for anything. @throws KeybayError `embedded_wallets_disabled`, `backup_unsupported` */
  const schemeOf = async (input: CreateWalletOptions) => {
    const { thresholdSignatureScheme } = await enabledSettings(input)
    const { scheme = thresholdSignatureScheme, backup } = input
    assertBackupFits(scheme, backup)
    return scheme
  }
  const at = (accountAddress: string) => ({ chainName: chainOfAddress(accountAddress), accountAddress })
  const api: WaasEngine = {
    ...createRecovery({ perform, frame, list, relist, changed }),
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
      // Without a key the person enters it where the page cannot see it.
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
  const wallet = createWallet({ face, store, perform, api, connect: silent => connect({ silent }), disconnect })
  return { api, wallet, connect, disconnect }
}

const engines = new WeakMap<Kernel<'account'>, Engine>()
/** The one engine of an instance, kept here because every byte of the plugin's own file is in the page's first chunk. */
export const engineOf = (kernel: Kernel<'account'>, ...rest: Rest): Engine => {
  const engine = engines.get(kernel) ?? createEngine(kernel, ...rest)
  engines.set(kernel, engine)
  return engine
}
