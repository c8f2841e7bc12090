/**
 * Wallet Standard view of the wallet, as a page sees it. Follows the keyring and requests approval through the queue.
 */
import type { IdentifierString, Wallet, WalletAccount, WalletIcon } from '@wallet-standard/base'
import type { StandardConnectFeature, StandardDisconnectFeature } from '@wallet-standard/features'
import { createChangeEmitter } from './emitter.js'
import { createSigningFeatures } from './features.js'
import type { Keyring } from './keyring.js'
import type { ApprovalRequest, Requests } from './requests.js'

export const FEATURES = [
  'standard:connect',
  'standard:disconnect',
  'standard:events',
  'solana:signMessage',
  'solana:signTransaction',
  'solana:signAndSendTransaction',
  'solana:signIn',
] as const
/** Features that a hardware account leaves out, because they do not sign transactions. */
const MESSAGES: readonly FeatureName[] = ['solana:signMessage', 'solana:signIn']
export type FeatureName = (typeof FEATURES)[number]

/** Time that an untrusted app waits for a permission granted in another tab, in ms. */
const HEARD_LATE_MS = 250

export interface WalletParts {
  readonly name: string
  readonly icon: WalletIcon
  readonly chains: readonly IdentifierString[]
  readonly features: readonly FeatureName[]
  readonly rpcUrls: Readonly<Record<string, string>>
  readonly keyring: Keyring
  readonly requests: Requests
}
export interface ControlledWallet {
  readonly wallet: Wallet
  setChains(chains: readonly IdentifierString[]): void
  setFeatures(features: readonly FeatureName[]): void
  /** Ends the connection without notifying the user. */
  disconnect(): void
  dispose(): void
}

export function createStandardWallet(parts: WalletParts): ControlledWallet {
  const { keyring, requests, name, icon, rpcUrls } = parts
  const { origin } = location
  const events = createChangeEmitter()
  let { chains } = parts
  let names = parts.features
  let connected = false
  let accounts: readonly WalletAccount[] = []

  /** Accounts keep their identity until one of their properties changes. */
  const currentAccounts = (): readonly WalletAccount[] => {
    if (!connected) return accounts.length ? [] : accounts
    const { address, publicKey } = keyring.active
    const [old] = accounts
    const features = names.filter(
      feature => feature.startsWith('solana:') && !(keyring.hardware === true && MESSAGES.includes(feature)),
    )
    if (old?.address === address && old.chains === chains && String(old.features) === String(features)) return accounts
    return [Object.freeze({ address, publicKey: publicKey.slice(), chains, features })]
  }
  const refresh = () => {
    const next = currentAccounts()
    if (next === accounts) return
    accounts = next
    events.emit({ accounts })
  }
  const setConnected = (now: boolean) => {
    connected = now
    refresh()
  }
  const unsubscribe = keyring.subscribe(() => {
    if (!keyring.trusts(origin)) connected = false
    refresh()
  })

  const authorise = async (request: ApprovalRequest) => {
    const { address } = request
    if (keyring.locked) await requests.ask({ kind: 'unlock', origin, address })
    await requests.ask(request)
  }
  type Connect = StandardConnectFeature['standard:connect']['connect']
  const ask = async () => {
    const { address } = keyring.active
    if (!keyring.trusts(origin)) await authorise({ kind: 'connect', origin, address })
    else if (keyring.locked) await requests.ask({ kind: 'unlock', origin, address })
    keyring.setTrust(origin, true)
    setConnected(true)
    return { accounts }
  }
  /** Waits for a permission granted in another tab, which may arrive later because tabs run in separate processes. */
  const readLateGrant = () =>
    new Promise<void>(resolve => {
      const heard = () => {
        clearTimeout(late)
        off()
        resolve()
      }
      const late = setTimeout(heard, HEARD_LATE_MS)
      const off = keyring.subscribe(heard)
    })
  let asking: ReturnType<Connect> | undefined
  const connect: Connect = async ({ silent = false } = {}) => {
    if (silent) {
      // Never shows a window: an untrusted app, or a locked wallet, gets no account.
      keyring.reload()
      if (!keyring.trusts(origin)) await readLateGrant()
      if (keyring.trusts(origin) && !keyring.locked) setConnected(true)
      return { accounts }
    }
    // An app that connects again while the window is open gets the same result, not a second window.
    asking ??= ask().finally(() => {
      asking = undefined
    })
    return asking
  }
  const disconnect: StandardDisconnectFeature['standard:disconnect']['disconnect'] = async () => setConnected(false)

  const all = {
    'standard:connect': { version: '1.0.0', connect },
    'standard:disconnect': { version: '1.0.0', disconnect },
    'standard:events': events.feature,
    ...createSigningFeatures({
      keyring,
      rpcUrls,
      authorise,
      requireAccount: account => {
        const own = accounts.find(({ address }) => address === account.address)
        if (!own) throw new Error('The requested account has not been authorized by the user.')
        return own
      },
      connected: () => {
        keyring.setTrust(origin, true)
        setConnected(true)
        const [account] = accounts
        if (!account) throw new Error('The wallet has no account.')
        return account
      },
    }),
  } satisfies Record<FeatureName, unknown>
  const pick = (): Wallet['features'] =>
    Object.freeze(Object.fromEntries(names.map(feature => [feature, all[feature]])))
  let features = pick()

  return {
    wallet: Object.freeze({
      version: '1.0.0' as const,
      name,
      icon,
      get chains() {
        return chains
      },
      get features() {
        return features
      },
      get accounts() {
        return accounts
      },
    }),
    setChains: next => {
      chains = Object.freeze([...next])
      accounts = currentAccounts()
      events.emit({ chains, accounts })
    },
    setFeatures: next => {
      names = [...next]
      features = pick()
      accounts = currentAccounts()
      events.emit({ features, accounts })
    },
    disconnect: () => setConnected(false),
    dispose: () => {
      unsubscribe()
      setConnected(false)
    },
  }
}
