/** Small real things for the tests: wallets that hold accounts, a host with a real kernel, and a page to render into. */
import {
  type Connector,
  type Core,
  createKeybay,
  definePlugin,
  type Kernel,
  type LoginConnector,
  listenerSet,
  type WalletConnector,
  type WalletWith,
} from '@keybay/kernel'
import type { ReactNode } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach } from 'vitest'
import { KeybayProvider } from '../src/index.js'

export type WalletAccount = WalletConnector['wallet']['accounts'][number]
type Features = WalletWith['features']

export const ICON = 'data:image/svg+xml;base64,PHN2Zy8+'

export function account(address: string, features: WalletAccount['features'] = []): WalletAccount {
  return { address, publicKey: new Uint8Array(32), chains: ['solana:devnet'], features }
}

export interface FakeWallet {
  readonly connector: WalletConnector
  /** Response to `connect`; replace it to misbehave. */
  answer: () => Promise<{ readonly accounts: readonly WalletAccount[] }>
  emit(accounts: readonly WalletAccount[]): void
}
/** A Wallet Standard wallet and its connector; the id is the name. */
export function fakeWallet(
  name: string,
  { features = {}, ...extra }: Partial<WalletConnector> & { readonly features?: Partial<Features> } = {},
): FakeWallet {
  const listeners = listenerSet<{ readonly accounts?: readonly WalletAccount[] }>()
  const ownAccount = account(
    `${name}1`,
    Object.keys(features).filter((key): key is `${string}:${string}` => key.includes(':')),
  )
  let accounts: readonly WalletAccount[] = []
  const fake: FakeWallet = {
    answer: async () => {
      accounts = [ownAccount]
      return { accounts }
    },
    emit(next) {
      accounts = next
      listeners.emit({ accounts })
    },
    connector: {
      kind: 'wallet',
      id: name,
      name,
      icon: ICON,
      readiness: 'ready',
      connectionType: 'browserExtension',
      wallet: {
        version: '1.0.0',
        name,
        icon: ICON,
        chains: ['solana:devnet'],
        get accounts() {
          return accounts
        },
        features: {
          'standard:connect': {
            version: '1.0.0',
            connect: ({ silent = false } = {}) => (silent ? idle() : fake.answer()),
          },
          'standard:events': { version: '1.0.0', on: (_event, listener) => listeners.add(listener) },
          ...features,
        },
      },
      ...extra,
    },
  }
  return fake
}

async function idle() {
  return { accounts: [] }
}

export function login(id: string, extra: Partial<LoginConnector> = {}): LoginConnector {
  return {
    kind: 'login',
    id,
    name: id,
    icon: ICON,
    readiness: 'ready',
    method: 'email',
    connect: async () => ({ method: 'email', proof: { userId: id } }),
    ...extra,
  }
}

const opened: Core[] = []
export function host(
  connectors: readonly Connector[] = [],
  environmentId = 'test',
  logLevel: 'silent' | 'warn' = 'silent',
) {
  let inner: Kernel | undefined
  const plugin = definePlugin({
    id: 'test',
    version: '0.1.0',
    setup(kernel) {
      inner = kernel
      return { connectors }
    },
  })
  const keybay = createKeybay({ appName: 'Test', logLevel, environmentId, plugins: [plugin] })
  if (!inner) throw new Error('setup did not run')
  opened.push(keybay)
  return { keybay, kernel: inner }
}

/**
 * Does it, and waits until React and the kernel have come to rest. No `act`: it would gather renders that are apart in a
 * real page, and they are counted here. React's scheduler takes its turns by `setImmediate`; a render, its effects, and
 * what these change are three.
 */
export async function settle(run: () => unknown = () => {}): Promise<void> {
  run()
  for (let turn = 0; turn < 6; turn++) await new Promise<void>(resolve => setImmediate(resolve))
}

const roots: Root[] = []
/** Keeps a root, so that it is unmounted after the test. */
export function keep(root: Root): Root {
  roots.push(root)
  return root
}

export function page(): HTMLElement {
  return document.body.appendChild(document.createElement('main'))
}

/** Renders below a provider. */
export async function render(keybay: Core, children: ReactNode) {
  const element = page()
  const root = keep(createRoot(element))
  const rendered = {
    root,
    element,
    render: (next: ReactNode) => settle(() => root.render(<KeybayProvider keybay={keybay}>{next}</KeybayProvider>)),
  }
  await rendered.render(children)
  return rendered
}

/** Does nothing but use a hook. */
export function Use({ hook }: { hook(): void }): ReactNode {
  hook()
  return null
}
/** Renders a component that uses the hook, and counts its renders. */
export async function probe<T>(keybay: Core, useIt: () => T) {
  let last: { readonly value: T } | undefined
  let renders = 0
  const hook = () => {
    last = { value: useIt() }
    renders++
  }
  const rendered = await render(keybay, <Use hook={hook} />)
  return {
    ...rendered,
    /** Last return value of the hook. */
    get current() {
      if (!last) throw new Error('it did not render')
      return last.value
    },
    get renders() {
      return renders
    },
  }
}

/** A promise that the test settles. */
export function deferred<T>(): { promise: Promise<T>; resolve(value: T): void; reject(error: unknown): void } {
  let resolve: (value: T) => void = () => {}
  let reject: (error: unknown) => void = () => {}
  const promise = new Promise<T>((yes, no) => {
    resolve = yes
    reject = no
  })
  return { promise, resolve, reject }
}

export function freshPages(): void {
  beforeEach(() => {
    localStorage.clear()
    history.replaceState(null, '', '/')
  })
  afterEach(async () => {
    await settle(() => {
      for (const root of roots.splice(0)) root.unmount()
    })
    for (const keybay of opened.splice(0)) keybay.dispose()
    document.body.replaceChildren()
  })
}
