/** Opens pages with the kit, against the real product API and inbox in this process. */
import { type AccountApi, type AccountOptions, account, type Proved } from '@keybay/account'
import {
  type ApiResponse,
  type Clock,
  type Config,
  createKeybay,
  definePlugin,
  type Kernel,
  type Keybay,
  type LoginConnector,
  type Plugin,
  type WalletConnector,
} from '@keybay/kernel'
import { IDBFactory } from 'fake-indexeddb'
import { vi } from 'vitest'
import type { ApiOptions } from '../../src/index.js'
import { type Answer, type World as ApiWorld, settings, startWorld as startApiWorld } from '../client.js'
import { answerLinkQuestions, asked as question } from '../page-world.js'
import { cookies, network } from './dom.js'

// Allow real services on a slow machine enough time.
vi.setConfig({ testTimeout: 30_000, hookTimeout: 90_000 })

export { answerLinkQuestions, question, settings }

export interface World extends Omit<ApiWorld, 'apiToken'> {
  codeFor(address: string): Promise<string>
  apiToken(): Promise<string>
  call(path: string, options?: { readonly token?: string; readonly body?: unknown }): Promise<Answer>
}

export async function startWorld(options: Partial<ApiOptions> = {}): Promise<World> {
  const world = await startApiWorld(options)
  let token: Promise<string> | undefined
  return {
    ...world,
    codeFor: world.codeTo,
    apiToken: () => (token ??= world.apiToken()),
    call: (path, request) => world.kit().call(path, { ...request, proof: false }),
  }
}

/** Creates a login with an emailed code, as a third-party plugin does. */
function emailConnector({ plugins }: Kernel<'account'>): LoginConnector<'email'> {
  return {
    kind: 'login',
    id: 'email',
    name: 'Email',
    icon: 'data:image/svg+xml,',
    readiness: 'ready',
    method: 'email',
    async connect(input, ctx) {
      const email = String(Object(input).email ?? input)
      const entrance = await plugins.account.entrance(ctx)
      const { verificationId, expiresAt } = Object(await entrance.post('email', { email }))
      let proof: ApiResponse = {}
      await ctx.prompt({
        type: 'one-time-code',
        method: 'email',
        sentTo: email,
        digits: 6,
        expiresAt,
        submit: async (code): Promise<Proved> => {
          proof = await entrance.post('email/verify', { verificationId, code })
          return Object.freeze({})
        },
        resend: async () => expiresAt,
      })
      return { method: 'email', proof }
    },
  }
}

function emailLogin(): Plugin<'email', undefined, LoginConnector<'email'>, 'account'> {
  return definePlugin({
    id: 'email',
    version: '0.1.0',
    requires: ['account'],
    setup: kernel => ({ connectors: [emailConnector(kernel)] }),
  })
}

export type Page = Keybay<
  | Plugin<'account', AccountApi>
  | Plugin<'email', undefined, LoginConnector<'email'>, 'account'>
  | ReturnType<typeof wallets>
  | Plugin<'watching'>
>

function wallets(connectors: readonly WalletConnector[]): Plugin<'wallets', undefined, WalletConnector> {
  return definePlugin({ id: 'wallets', version: '0.1.0', setup: () => ({ connectors }) })
}

function watching(see: (kernel: Kernel) => void = () => {}): Plugin<'watching'> {
  return definePlugin({
    id: 'watching',
    version: '0.1.0',
    setup(kernel) {
      see(kernel)
      return {}
    },
  })
}

const opened: Page[] = []

export interface PageOptions extends Partial<Config> {
  readonly wallets?: readonly WalletConnector[]
  readonly account?: AccountOptions
  readonly see?: (kernel: Kernel) => void
}

export function openPage(
  world: Pick<World, 'api'>,
  { wallets: connectors = [], account: options, see, ...config }: PageOptions = {},
): Page {
  const page = createKeybay({
    appName: 'Acme',
    baseApiUrl: world.api.internalUrl,
    logLevel: 'silent',
    ...config,
    plugins: [account(options), emailLogin(), wallets(connectors), watching(see)],
  })
  opened.push(page)
  return page
}

/** Signs in or links with a code from the inbox. */
export async function byEmail(world: World, page: Page, email: string) {
  const signingIn = page.account.signIn('email', email)
  const prompt = await Promise.race([question(page, 'one-time-code'), signingIn.then(() => undefined)])
  if (prompt) prompt.answer(await prompt.submit(await world.codeFor(email)))
  return signingIn
}

export async function openSignedIn(world: World, email: string, options?: PageOptions): Promise<Page> {
  const page = openPage(world, options)
  await byEmail(world, page, email)
  return page
}

export async function fresh(): Promise<void> {
  for (const page of opened.splice(0)) page.dispose()
  localStorage.clear()
  cookies.clear()
  Object.assign(network, { down: false, sent: [], answer: undefined })
  Object.assign(globalThis, { indexedDB: new IDBFactory() })
}
/** Resolves once the condition holds; checked after each event. */
export function until(page: Page, holds: () => boolean): Promise<void> {
  return new Promise(resolve => {
    const look = () => {
      if (!holds()) return
      off()
      resolve()
    }
    const off = page.onAny(look)
    look()
  })
}

/** Returns a real-time clock that a test can move forward. */
export function movableClock(): Clock & { move(ms: number): void } {
  let moved = 0
  const timers = new Set<{ readonly at: number; run(): void }>()
  const now = () => Date.now() + moved
  return {
    now,
    after(ms, run) {
      const timer = { at: now() + ms, run }
      timers.add(timer)
      return () => timers.delete(timer)
    },
    move(ms) {
      moved += ms
      for (const timer of [...timers]) if (timer.at <= now() && timers.delete(timer)) timer.run()
    },
  }
}
