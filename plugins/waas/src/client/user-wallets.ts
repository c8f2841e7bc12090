/** One user's wallets and hidden frame. Both end with the user's tenure. */
import type { Settings } from '@keybay/account'
import type { Kernel } from '@keybay/kernel'
import { KeybayError, messageHandlerMissing, toKeybayError } from '@keybay/kernel/spec'
import { embeddedWalletsDisabled } from '../protocol/errors.js'
import type { WaasWallet } from '../protocol/wallet.js'
import type { CallOptions } from './api.js'
import type { EarlyFrame } from './early-frame.js'
import { createPerform, getAuthToken, type Perform, type PerformOptions } from './operations.js'
import type { FrameOptions, FrameParameters } from './parameters.js'
import { acquireFrame, type FrameHandle } from './shared-frame.js'
import { assertTenure, type Tenure } from './tenure.js'

/** Parts that all users of one kernel share. */
export interface EngineContext {
  readonly kernel: Kernel<'account'>
  readonly options: FrameOptions
  readonly parameters: FrameParameters
  /** Shows the wallets of the signed-in user as accounts. */
  readonly show: (wallets: readonly WaasWallet[]) => void
  readonly takeEarlyFrame: EarlyFrame['take']
}

/** @throws KeybayError `embedded_wallets_disabled` */
export async function getEnabledSettings(
  { plugins }: Kernel<'account'>,
  { signal }: Pick<CallOptions, 'signal'>,
): Promise<Settings['embeddedWallets']> {
  const { embeddedWallets } = await plugins.account.settings(signal ? { signal } : {})
  if (!embeddedWallets.enabled) throw new KeybayError(embeddedWalletsDisabled)
  return embeddedWallets
}

export function pickDisplay({ signal, displayContainer }: CallOptions): PerformOptions {
  return { signal, displayContainer }
}

export class UserWallets {
  readonly kernel: Kernel<'account'>
  readonly tenure: Tenure
  readonly perform: Perform
  /** The wallets of the last list, with the changes since then. */
  wallets: readonly WaasWallet[] = []
  readonly #context: EngineContext
  #frame: FrameHandle | undefined

  constructor(context: EngineContext, tenure: Tenure) {
    const { kernel, options, parameters } = context
    this.kernel = kernel
    this.tenure = tenure
    this.#context = context
    const perform = createPerform({ kernel, parameters, frame: () => this.frame(), options, tenure })
    this.perform = options.debug ? withDebug(perform, kernel) : perform
    kernel.onDispose(() => this.release())
  }

  /** Takes part in the hidden frame. @throws KeybayError `session_changed`, `message_handler_missing` */
  frame(): FrameHandle {
    const { kernel, parameters, takeEarlyFrame } = this.#context
    assertTenure(this.tenure)
    // A disposed kernel has no connectors.
    if (!this.#frame && !kernel.connectors.get('waas')) throw new KeybayError(messageHandlerMissing)
    this.#frame ??= acquireFrame({
      parameters,
      userId: this.tenure.userId,
      clock: kernel.clock,
      logger: kernel.logger,
      authToken: () => getAuthToken(kernel, this.tenure),
      takeEarlyFrame,
      onState: state => kernel.events.emit('waas:frame', { state }),
    })
    return this.#frame
  }

  release(): void {
    this.#frame?.release()
  }

  async list(options: PerformOptions): Promise<readonly WaasWallet[]> {
    const { chains = ['SOL'] } = this.#context.options
    const lists = await Promise.all(chains.map(chainName => this.perform('getWallets', { chainName }, options)))
    this.#show(lists.flat().toSorted((a, b) => a.createdAt - b.createdAt))
    return this.wallets
  }

  /** Puts the result of an operation into the list: it is newer. */
  update<T extends { readonly wallet: WaasWallet }>(result: T): T {
    const index = this.wallets.findIndex(({ walletId }) => walletId === result.wallet.walletId)
    this.#show(index < 0 ? [...this.wallets, result.wallet] : this.wallets.with(index, result.wallet))
    this.kernel.events.emit('waas:wallets-changed', {})
    return result
  }

  /** Reads the list again after a change. The change counts even if the list cannot be read. */
  async relist(options: CallOptions): Promise<void> {
    const { logger, events } = this.kernel
    await this.list({ ...pickDisplay(options), silent: true }).catch(error => logger.debug('waas list', error))
    events.emit('waas:wallets-changed', {})
  }

  #show(wallets: readonly WaasWallet[]): void {
    assertTenure(this.tenure)
    this.wallets = wallets
    this.#context.show(wallets)
  }
}

function withDebug(perform: Perform, { clock, logger }: Pick<Kernel, 'clock' | 'logger'>): Perform {
  return async (type, request, options) => {
    const start = clock.now()
    const say = (outcome: string) => logger.debug('waas operation', { type, outcome, ms: clock.now() - start })
    try {
      const answer = await perform(type, request, options)
      say('done')
      return answer
    } catch (error) {
      say(toKeybayError(error).code)
      throw error
    }
  }
}
