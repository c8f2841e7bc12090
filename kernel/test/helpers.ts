/** Small real things for the kernel's tests: a wallet that holds accounts, connectors around it, a host. */
import type { WalletAccount } from '@wallet-standard/base'
import { afterEach, beforeEach } from 'vitest'
import {
  type AnyCore,
  type Config,
  type Connector,
  type Credential,
  createKeybay,
  definePlugin,
  type Kernel,
  type ListenerSet,
  type LoginConnector,
  listenerSet,
  type SessionState,
  type WalletConnector,
  type WalletWith,
} from '../src/index.js'

const ICON = 'data:image/svg+xml;base64,PHN2Zy8+'

export function account(address: string, extra: Partial<WalletAccount> = {}): WalletAccount {
  return {
    address,
    publicKey: new Uint8Array(32),
    chains: ['solana:devnet'],
    features: ['solana:signMessage'],
    ...extra,
  }
}

export interface FakeWallet {
  readonly wallet: WalletWith<'standard:connect' | 'standard:events' | 'standard:disconnect'>
  readonly calls: { silent: boolean }[]
  readonly listeners: ListenerSet<{ accounts?: readonly WalletAccount[] }>
  disconnects: number
  /** Response to `connect`; replace it to misbehave. */
  answer: (silent: boolean) => Promise<{ accounts: readonly WalletAccount[] }>
  emit(accounts: readonly WalletAccount[]): void
}

export function fakeWallet(name: string, accounts: readonly WalletAccount[] = [account(`${name}1`)]): FakeWallet {
  let current: readonly WalletAccount[] = []
  const fake: FakeWallet = {
    calls: [],
    listeners: listenerSet(),
    disconnects: 0,
    answer: async () => {
      current = accounts
      return { accounts }
    },
    emit(next) {
      current = next
      fake.listeners.emit({ accounts: next })
    },
    wallet: {
      version: '1.0.0',
      name,
      icon: ICON,
      chains: ['solana:devnet'],
      get accounts() {
        return current
      },
      features: {
        'standard:connect': {
          version: '1.0.0',
          connect: ({ silent = false } = {}) => {
            fake.calls.push({ silent })
            return fake.answer(silent)
          },
        },
        'standard:disconnect': {
          version: '1.0.0',
          disconnect: async () => {
            fake.disconnects++
          },
        },
        'standard:events': { version: '1.0.0', on: (_event, listener) => fake.listeners.add(listener) },
      },
    },
  }
  return fake
}

export function walletConnector(fake: FakeWallet, extra: Partial<WalletConnector> = {}): WalletConnector {
  return {
    kind: 'wallet',
    id: fake.wallet.name,
    name: fake.wallet.name,
    icon: ICON,
    readiness: 'ready',
    connectionType: 'browserExtension',
    wallet: fake.wallet,
    ...extra,
  }
}

export function loginConnector(id: string, extra: Partial<LoginConnector> = {}): LoginConnector {
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

/** Signs in the user that the proof names. */
export async function exchange({ proof }: Credential): Promise<SessionState> {
  return { status: 'authenticated', userId: String(Object(proof).userId) }
}

export type Host = ReturnType<typeof host>

export function host(connectors: readonly Connector[] = [], config: Partial<Config> = {}) {
  let inner: Kernel | undefined
  const keybay = createKeybay({
    appName: 'Test',
    logLevel: 'silent',
    ...config,
    plugins: [
      definePlugin({
        id: 'test',
        version: '0.1.0',
        setup(kernel) {
          inner = kernel
          return { connectors }
        },
      }),
    ],
  })
  if (!inner) throw new Error('setup did not run')
  return { keybay, kernel: inner }
}

export { fakeClock as testClock, settle } from '../src/testing/index.js'

/** `host` for the tests of one file: storage is empty before each, and whatever was opened is disposed after it. */
export function openHosts(): typeof host {
  const opened: AnyCore[] = []
  beforeEach(() => localStorage.clear())
  afterEach(() => {
    for (const keybay of opened.splice(0)) keybay.dispose()
  })
  return (...args) => {
    const made = host(...args)
    opened.push(made.keybay)
    return made
  }
}
