/** Gives a user who signs in the first wallet, in the background. Loads with the first change of the session. */
import type { User } from '@keybay/account'
import type { Kernel } from '@keybay/kernel'
import { toKeybayError, WAAS_WALLET_NAME } from '@keybay/kernel/spec'
import type { Engine } from './engine.js'
import type { WaasOptions } from './plugin.js'

type Options = Pick<WaasOptions, 'createOnLogin'>
type Open = () => Promise<Pick<Engine, 'createFirst'>>

/** Waits before each further try while a service is away, in ms. Later, the next page load continues. */
const WAITS_MS = [1000, 4000, 16_000, 60_000]

/** A service is away or busy, so the same request may succeed later. */
const TRANSIENT =
  /^((api|peer|service)_unavailable|frame_(relay|api)_unreachable|iframe_load_\w+|busy|not_compared|request_failed|too_many_requests)$/

/** The user of each kernel's session whose wallet was looked after. */
const greeted = new WeakMap<object, string>()

/** Runs at each change of the session. Does nothing for a user whom it has already looked after. */
export function onSession(kernel: Kernel<'account'>, options: Options, open: Open): void {
  const { status, userId } = kernel.session.current
  if (status !== 'authenticated' || userId === undefined || greeted.get(kernel.session) === userId) return
  greeted.set(kernel.session, userId)
  void greet(kernel, options, open, userId)
}

async function greet(kernel: Kernel<'account'>, options: Options, open: Open, userId: string, tries = 0) {
  const isSame = () => kernel.session.current.userId === userId
  try {
    if (!(await needsWallet(kernel, options, userId)) || !isSame()) return
    const isHere = await (await open()).createFirst(userId)
    if (isHere && kernel.connections.list().length === 0) await kernel.connections.connect('waas', undefined, undefined)
  } catch (thrown) {
    const error = toKeybayError(thrown)
    const wait = WAITS_MS[tries]
    if (!isSame() || error.code === 'user_rejected') return
    if (wait === undefined || !TRANSIENT.test(error.code)) return kernel.events.emit('waas:failed', { error })
    kernel.onDispose(kernel.clock.after(wait, () => void greet(kernel, options, open, userId, tries + 1)))
  }
}

/** Checks what the product API knows. The relay decides. */
async function needsWallet({ plugins }: Kernel<'account'>, options: Options, userId: string): Promise<boolean> {
  const { current } = plugins.account.user
  const known = current.status === 'ready' && current.user?.id === userId ? current.user : undefined
  const user = known ?? (await plugins.account.user.refresh())
  if (user?.id !== userId || hasWallet(user, options)) return false
  return (await plugins.account.settings()).embeddedWallets.enabled
}

function hasWallet({ credentials }: User, { createOnLogin = 'users-without-wallets' }: Options): boolean {
  return credentials.some(
    ({ method, walletName }) =>
      method === 'blockchain' && (createOnLogin === 'users-without-wallets' || walletName === WAAS_WALLET_NAME),
  )
}
