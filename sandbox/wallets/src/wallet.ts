/**
 * Wallet Standard view of the wallet, as a page sees it. Follows the keyring and requests approval through the queue.
 */
import type { IdentifierString, Wallet, WalletAccount, WalletIcon } from '@wallet-standard/base'
import type { StandardConnectFeature } from '@wallet-standard/features'
import { type ChangeEmitter, createChangeEmitter } from './emitter.js'
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
const LATE_GRANT_MS = 250

export interface WalletParts {
  readonly name: string
  readonly icon: WalletIcon
  readonly chains: readonly IdentifierString[]
  readonly features: readonly FeatureName[]
  readonly rpcUrls: Readonly<Record<string, string>>
  readonly keyring: Keyring
  readonly requests: Requests
}
/** The accounts that the app sees, with what may change about them. */
interface Shown {
  chains: readonly IdentifierString[]
  features: readonly FeatureName[]
  connected: boolean
  readonly accounts: readonly WalletAccount[]
  /** Recomputes the accounts. @returns false if nothing changed */
  update(): boolean
}

function createShown(keyring: Keyring, chains: Shown['chains'], features: Shown['features']): Shown {
  let accounts: readonly WalletAccount[] = []
  /** Accounts keep their identity until one of their properties changes. */
  const next = (shown: Shown): readonly WalletAccount[] => {
    if (!shown.connected) return accounts.length ? [] : accounts
    const { address, publicKey } = keyring.active
    const { chains } = shown
    const [old] = accounts
    const features = shown.features.filter(
      feature => feature.startsWith('solana:') && !(keyring.hardware === true && MESSAGES.includes(feature)),
    )
    if (old?.address === address && old.chains === chains && String(old.features) === String(features)) return accounts
    return [Object.freeze({ address, publicKey: new Uint8Array(publicKey), chains, features })]
  }
  return {
    chains,
    features,
    connected: false,
    get accounts() {
      return accounts
    },
    update() {
      const before = accounts
      accounts = next(this)
      return accounts !== before
    },
  }
}

/** Connects with the user's approval, or silently if the app is trusted. */
function createConnect(keyring: Keyring, requests: Requests, shown: Shown, setConnected: (now: boolean) => void) {
  const { origin } = location
  const authorise = async (request: ApprovalRequest) => {
    const { address } = request
    if (keyring.locked) await requests.ask({ kind: 'unlock', origin, address })
    await requests.ask(request)
  }
  const ask = async () => {
    const { address } = keyring.active
    if (!keyring.trusts(origin)) await authorise({ kind: 'connect', origin, address })
    else if (keyring.locked) await requests.ask({ kind: 'unlock', origin, address })
    keyring.setTrust(origin, true)
    setConnected(true)
    return { accounts: shown.accounts }
  }
  /** Waits for a permission granted in another tab, which may arrive later because tabs run in separate processes. */
  const readLateGrant = () =>
    new Promise<void>(resolve => {
      const finish = () => {
        clearTimeout(late)
        unsubscribe()
        resolve()
      }
      const late = setTimeout(finish, LATE_GRANT_MS)
      const unsubscribe = keyring.subscribe(finish)
    })
  type Connect = StandardConnectFeature['standard:connect']['connect']
  let pending: ReturnType<Connect> | undefined
  const connect: Connect = async ({ silent = false } = {}) => {
    if (silent) {
      // Never shows a window: an untrusted app, or a locked wallet, gets no account.
      keyring.reload()
      if (!keyring.trusts(origin)) await readLateGrant()
      if (keyring.trusts(origin) && !keyring.locked) setConnected(true)
      return { accounts: shown.accounts }
    }
    // An app that connects again while the window is open gets the same result, not a second window.
    pending ??= ask().finally(() => {
      pending = undefined
    })
    return pending
  }
  return { connect, authorise }
}

/** Returns all features of the wallet. */
function createFeatures({ keyring, requests, rpcUrls }: WalletParts, shown: Shown, events: ChangeEmitter) {
  const setConnected = (now: boolean) => {
    shown.connected = now
    if (shown.update()) events.emit({ accounts: shown.accounts })
  }
  const { connect, authorise } = createConnect(keyring, requests, shown, setConnected)
  const signing = createSigningFeatures({
    keyring,
    rpcUrls,
    authorise,
    requireAccount: ({ address }) => {
      const account = shown.accounts.find(account => account.address === address)
      if (!account) throw new Error('The requested account has not been authorized by the user.')
      return account
    },
    connected: () => {
      keyring.setTrust(location.origin, true)
      setConnected(true)
      const [account] = shown.accounts
      if (!account) throw new Error('The wallet has no account.')
      return account
    },
  })
  const all = {
    'standard:connect': { version: '1.0.0', connect },
    'standard:disconnect': { version: '1.0.0', disconnect: async () => setConnected(false) },
    'standard:events': events.feature,
    ...signing,
  } satisfies Record<FeatureName, unknown>
  return { all, setConnected }
}

export function createStandardWallet(parts: WalletParts) {
  const { keyring, name, icon } = parts
  const events = createChangeEmitter()
  const shown = createShown(keyring, parts.chains, parts.features)
  const { all, setConnected } = createFeatures(parts, shown, events)
  const unsubscribe = keyring.subscribe(() => setConnected(shown.connected && keyring.trusts(location.origin)))
  const pick = (): Wallet['features'] =>
    Object.freeze(Object.fromEntries(shown.features.map(feature => [feature, all[feature]])))
  let features = pick()
  const wallet: Wallet = Object.freeze({
    version: '1.0.0' as const,
    name,
    icon,
    get chains() {
      return shown.chains
    },
    get features() {
      return features
    },
    get accounts() {
      return shown.accounts
    },
  })
  return {
    wallet,
    setChains: (chains: readonly IdentifierString[]) => {
      shown.chains = Object.freeze([...chains])
      shown.update()
      events.emit({ chains: shown.chains, accounts: shown.accounts })
    },
    setFeatures: (next: readonly FeatureName[]) => {
      shown.features = [...next]
      features = pick()
      shown.update()
      events.emit({ features, accounts: shown.accounts })
    },
    dispose: () => {
      unsubscribe()
      setConnected(false)
    },
  }
}
