/** Gives a user who signs in the first wallet, in the background. Loads with the first sign-in or change of the session. */
import type { User } from '@keybay/account'
import type { Kernel } from '@keybay/kernel'
import { toKeybayError, WAAS_WALLET_NAME } from '@keybay/kernel/spec'
import type { Engine } from './engine.js'
import type { WaasOptions } from './plugin.js'

type Options = Pick<WaasOptions, 'createOnLogin'>
type Open = () => Promise<Pick<Engine, 'createFirst' | 'earlyFrame'>>

/** Waits before each further try while a service is away, in ms. Later, the next page load continues. */
const WAITS_MS = [1000, 4000, 16_000, 60_000]

/** A service is away or busy, so the same request may succeed later. */
const TRANSIENT =
  /^((api|peer|service)_unavailable|frame_(relay|api)_unreachable|iframe_load_\w+|busy|not_compared|request_failed|too_many_requests)$/

/** Storage key of the user who closed the wallet's window. Until the sign-out, no page asks this user again by itself. */
const DECLINED = 'waas:declined'

/** The user of each kernel's session whose wallet was looked after. */
const greeted = new WeakMap<object, string>()
/** Removes the frame that loaded during the sign-in of each kernel's session, if no operation took it. */
const drops = new WeakMap<object, () => void>()

function isSignedIn({ session }: Kernel): boolean {
  const { status } = session.current
  return status === 'authenticated' || status === 'verification'
}

/** Runs at each change of the session, and when a wallet or login begins to connect. */
export function follow(
  kernel: Kernel<'account'>,
  open: Open,
  options: Options,
  opening: { readonly connectorId: string } | undefined,
): void {
  if (!opening) onSession(kernel, options, open)
  else if (kernel.connectors.get(opening.connectorId)?.kind === 'login') void onLogin(kernel, open, opening.connectorId)
}

/**
 * Loads the settings and the frame while the user still signs in. Errors are silent, because the creation of the wallet
 * fails with the same ones.
 */
async function onLogin(kernel: Kernel<'account'>, open: Open, connectorId: string): Promise<void> {
  const { session, plugins, events } = kernel
  let isFailed = false
  const stops = [
    events.on('connection:failed', failed => {
      if (failed.connectorId !== connectorId) return
      isFailed = true
      stop()
      drops.get(session)?.()
    }),
    events.on('account:signed-in', () => stop()),
  ]
  const stop = () => {
    for (const end of stops) end()
  }
  try {
    await session.restore()
    if (isSignedIn(kernel) || !(await plugins.account.settings()).embeddedWallets.enabled) return
    const { earlyFrame } = await open()
    // A user who is signed in by now may already load the frame.
    if (isFailed || isSignedIn(kernel)) return
    drops.set(session, earlyFrame.drop)
    earlyFrame.begin()
  } catch {}
}

/** Looks after a user who has signed in, once. */
function onSession(kernel: Kernel<'account'>, options: Options, open: Open): void {
  const { status, userId } = kernel.session.current
  // After a sign-out, the same user may sign in again and continue what the sign-out interrupted.
  if (userId === undefined) {
    greeted.delete(kernel.session)
    void kernel.storage.remove(DECLINED)
  }
  if (status !== 'authenticated' || userId === undefined || greeted.get(kernel.session) === userId) return
  greeted.set(kernel.session, userId)
  void greet(kernel, options, open, userId)
}

async function greet(kernel: Kernel<'account'>, options: Options, open: Open, userId: string, tries = 0) {
  const { session, plugins, connections, storage } = kernel
  const isSame = () => session.current.userId === userId
  const connect = async () => connections.list().length === 0 && connections.connect('waas', undefined, undefined)
  let keepsFrame = false
  try {
    const user = await getUser(kernel, userId)
    keepsFrame = user?.credentials.some(({ walletName }) => walletName === WAAS_WALLET_NAME) === true
    if (!user || hasWallet(user, options) || !(await plugins.account.settings()).embeddedWallets.enabled) return
    if ((await storage.get(DECLINED)) === userId) return
    if (isSame()) await (await open()).createFirst(userId, connect)
  } catch (thrown) {
    const error = toKeybayError(thrown)
    const wait = WAITS_MS[tries]
    if (!isSame()) return
    if (error.code === 'user_rejected') return storage.set(DECLINED, userId)
    if (wait === undefined || !TRANSIENT.test(error.code)) return kernel.events.emit('waas:failed', { error })
    kernel.onDispose(kernel.clock.after(wait, () => void greet(kernel, options, open, userId, tries + 1)))
  } finally {
    if (!keepsFrame) drops.get(session)?.()
  }
}

/** Returns what the product API knows of the user. The relay decides who gets a wallet. */
async function getUser({ plugins }: Kernel<'account'>, userId: string): Promise<User | undefined> {
  const { current } = plugins.account.user
  const known = current.status === 'ready' && current.user?.id === userId ? current.user : undefined
  const user = known ?? (await plugins.account.user.refresh())
  return user?.id === userId ? user : undefined
}

function hasWallet({ credentials }: User, { createOnLogin = 'users-without-wallets' }: Options): boolean {
  return credentials.some(
    ({ method, walletName }) =>
      method === 'blockchain' && (createOnLogin === 'users-without-wallets' || walletName === WAAS_WALLET_NAME),
  )
}
