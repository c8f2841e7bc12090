/** A page with the real kit and client. The account is a stand-in, and so are the frames that `installFrames` adds. */
import type { Settings, UserCredential } from '@keybay/account'
import { type Config, createKeybay, definePlugin, type Kernel, type LoginConnector } from '@keybay/kernel'
import { fakeClock, settle } from '@keybay/kernel/testing'
import type { WalletAccount } from '@wallet-standard/base'
import { afterEach } from 'vitest'
import { type WaasConnector, type WaasOptions, waas } from '../../src/index.js'
import type { FrameView, Handlers, WaasMessages } from '../../src/protocol/index.js'
import { type FrameOptions, installFrames, preparePage } from './frames.js'
import { type StandIn, standInAccount } from './stand-in-account.js'

preparePage()
/** Cleanups of the running test. */
export const ends: (() => void)[] = []
afterEach(() => {
  for (const end of ends.splice(0).reverse()) end()
  localStorage.clear()
})

export interface KitOptions {
  /** False: no user is signed in when the page loads. */
  readonly signedIn?: boolean
  readonly options?: WaasOptions | undefined
  readonly config?: Partial<Config>
  readonly embeddedWallets?: Partial<Settings['embeddedWallets']>
  /** Ways in which the user signs in. Default: unknown, so the page creates no wallet at sign-in. */
  readonly credentials?: readonly UserCredential[] | undefined
}
export type Kit = ReturnType<typeof openKit>
let environments = 0

export function openKit({ signedIn = true, options, config, embeddedWallets, credentials }: KitOptions = {}) {
  const clock = fakeClock()
  const standIn: StandIn = { signed: [], proved: [], called: [] }
  let kernel: Kernel | undefined
  const probe = definePlugin({
    id: 'probe',
    version: '0.1.0',
    setup(pluginKernel) {
      kernel = pluginKernel
      return {}
    },
  })
  /** A login that waits for the user's code. */
  const login = definePlugin({
    id: 'code',
    version: '0.1.0',
    setup: () => ({
      connectors: [
        {
          kind: 'login',
          id: 'code',
          name: 'Code',
          icon: 'data:image/svg+xml,',
          readiness: 'ready',
          method: 'email',
          connect: () => new Promise<never>(() => {}),
        } satisfies LoginConnector<'code', undefined>,
      ],
    }),
  })
  const keybay = createKeybay({
    appName: 'Test',
    environmentId: `env-${++environments}`,
    baseApiUrl: 'http://localhost:4100/api/v0',
    logLevel: 'silent',
    clock,
    ...config,
    plugins: [standInAccount(standIn, signedIn, embeddedWallets, credentials), waas(options), login, probe],
  })
  const events: (readonly [string, unknown])[] = []
  keybay.onAny((name, payload) => events.push([name, payload]))
  ends.push(keybay.dispose)
  keybay.connectors.list() // runs the plugins' setup
  if (!kernel) throw new Error('the probe plugin has no kernel')
  const { session } = kernel
  const signIn = (userId: string, value: string) =>
    session.set({ status: 'authenticated', userId }, { value, expiresAt: clock.now() + 3_600_000 })
  return { keybay, kernel, clock, events, signIn, ...standIn }
}

/** Opens a kit whose frames answer by these handlers. */
export function open(
  handlers: Handlers<WaasMessages>,
  { frame, ...options }: KitOptions & { readonly frame?: FrameOptions } = {},
) {
  const received: (readonly [FrameView, string, unknown])[] = []
  const record = (view: FrameView, type: string, handler: (payload: never, context: never) => unknown) => {
    return (payload: unknown, context: unknown) => {
      received.push([view, type, payload])
      return Reflect.apply(handler, undefined, [payload, context])
    }
  }
  const frames = installFrames(
    view => Object.fromEntries(Object.entries(handlers).map(([type, handler]) => [type, record(view, type, handler)])),
    frame,
  )
  ends.push(frames.restore)
  return { ...openKit(options), frames, received }
}

export async function until(condition: () => unknown): Promise<void> {
  while (!condition()) await settle()
}

export function iframes(): readonly HTMLIFrameElement[] {
  return [...document.querySelectorAll('iframe')]
}

export function createContainer(): HTMLElement {
  const element = document.createElement('div')
  document.body.append(element)
  ends.push(() => element.remove())
  return element
}

export async function connectAccount({
  keybay,
}: Pick<Kit, 'keybay'>): Promise<{
  readonly account: WalletAccount
  readonly features: WaasConnector['wallet']['features']
}> {
  const { accounts } = await keybay.connect('waas')
  const [account] = accounts
  if (!account) throw new Error('the wallet has no account')
  return { account, features: keybay.connectors.get('waas').wallet.features }
}
