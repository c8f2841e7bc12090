/** The lazily loaded half of the plugin: the wallet, the operations, and the signed-in user's tenure. */
import { accountStore, type Kernel } from '@keybay/kernel'
import { aborted, KeybayError, sessionMissing, toKeybayError } from '@keybay/kernel/spec'
import type { Wallet, WalletAccount } from '@wallet-standard/base'
import type { WaasWallet } from '../protocol/wallet.js'
import { joinSignals } from './abort.js'
import type { WaasEngine } from './api.js'
import { toAccount } from './chains.js'
import { createEarlyFrame, type EarlyFrame } from './early-frame.js'
import { SIGN_IN_FIRST, waasError } from './errors.js'
import { createFirstWallet } from './first-wallet.js'
import type { Perform, PerformOptions } from './operations.js'
import { type FrameOptions, type FrameParameters, resolveParameters } from './parameters.js'
import type { WaasOptions } from './plugin.js'
import { createRecovery } from './recovery.js'
import { createTenures, type Tenure } from './tenure.js'
import { type EngineContext, getEnabledSettings, UserWallets } from './user-wallets.js'
import { createWallet } from './wallet.js'
import { createWalletChanges, createWalletCreation } from './wallet-operations.js'

export interface Engine {
  /** @param expected the user who was signed in at the call, if any. @throws KeybayError as `Tenures.current` */
  as(expected: string | undefined): Promise<WaasEngine>
  readonly wallet: Wallet
  connect(options: Pick<PerformOptions, 'signal' | 'silent'>): Promise<readonly WalletAccount[]>
  disconnect(): Promise<void>
  /**
   * Creates the user's first wallet, with the wallet's window only if it must be backed up at once.
   * @param connect runs if this browser has a wallet then. Meant to connect it, without listing the wallets again
   */
  createFirst(userId: string, connect: () => Promise<unknown>): Promise<void>
  /** The frame of the user who signs in next. */
  readonly earlyFrame: Pick<EarlyFrame, 'begin' | 'drop'>
}
type EngineOptions = FrameOptions & Pick<FrameParameters, 'sdkVersion'> & Pick<WaasOptions, 'createOnLogin'>
type Face = Pick<Wallet, 'name' | 'icon' | 'chains'>

function createUserEngine(context: EngineContext, tenure: Tenure) {
  const user = new UserWallets(context, tenure)
  const api: WaasEngine = { ...createWalletCreation(user), ...createWalletChanges(user), ...createRecovery(user) }
  return { user, api, end: () => user.release() }
}

export function createEngine(kernel: Kernel<'account'>, options: EngineOptions, face: Face): Engine {
  const { session, events, config } = kernel
  const store = accountStore()
  // First, so that a missing host is an error before any frame or request. `self.origin`, because a sandboxed page has the
  // origin `null`, and `location.origin` hides that.
  const parameters = resolveParameters(options, config, self.origin)
  const { chains = ['SOL'] } = options
  let isConnected = false
  /** The user whose wallets the relay has just named. */
  let listed: UserWallets | undefined
  const show = (wallets: readonly WaasWallet[]) => {
    if (!isConnected) return
    const listed = wallets.filter(({ chainName }) => chains.some(chain => chain === chainName))
    store.set(listed.map(wallet => toAccount(wallet, face.chains)))
  }
  const showNextUser = (userId: string | undefined) => {
    store.set([])
    if (userId === undefined || !isConnected) return
    tenures
      .current(userId)
      .then(({ user }) => user.list({ silent: true }))
      .catch(error => events.emit('waas:failed', { error: toKeybayError(error) }))
  }
  const earlyFrame = createEarlyFrame(parameters, kernel)
  kernel.onDispose(earlyFrame.drop)
  const context: EngineContext = { kernel, options, parameters, show, takeEarlyFrame: earlyFrame.take }
  const tenures = createTenures(kernel, tenure => createUserEngine(context, tenure), showNextUser)
  kernel.onDispose(tenures.stop)
  const as: Engine['as'] = async expected => (await tenures.current(expected)).api

  const connect: Engine['connect'] = async how => {
    await session.restore()
    if (session.current.status !== 'authenticated') throw waasError(sessionMissing, SIGN_IN_FIRST)
    const { user } = await tenures.current()
    if (user !== listed) await user.list(how)
    if (user.wallets.length === 0)
      await (how.silent || options.createOnLogin === 'off'
        ? getEnabledSettings(kernel, how)
        : createFirstWallet(user, how))
    isConnected = true
    show(user.wallets)
    return store.accounts
  }
  /** Aborts the signatures that wait when the app disconnects. */
  let connection = new AbortController()
  const disconnect = async () => {
    connection.abort(new KeybayError(aborted))
    connection = new AbortController()
    isConnected = false
    store.set([])
  }
  const perform: Perform = async (type, request, how) => {
    const signal = joinSignals(connection.signal, how?.signal)
    const { user } = await tenures.current(session.current.userId)
    return user.perform(type, request, { ...how, signal })
  }
  const wallet = createWallet({
    face,
    store,
    perform,
    api: () => as(session.current.userId),
    connect: silent => connect({ silent }),
    disconnect,
  })
  const createFirst: Engine['createFirst'] = async (userId, connect) => {
    const { user } = await tenures.current(userId)
    await createFirstWallet(user, {})
    if (!user.wallets.some(({ here }) => here)) return
    listed = user
    await connect().finally(() => {
      listed = undefined
    })
  }
  return { as, wallet, connect, disconnect, createFirst, earlyFrame }
}
