/** Wallet's state: keys, active account, lock and trusted apps. For the sandbox only: nothing is encrypted. */
import bs58 from 'bs58'
import nacl from 'tweetnacl'
import { openStore, type Store } from './store.js'

/**
 * `true`: the keys are on a device that only signs transactions, and the account leaves out the other features.
 * `'undeclared'`: the account lists these features and rejects them, as wallets with a Ledger do. `false`: no device.
 */
export type HardwareMode = boolean | 'undeclared'

export type Keyring = ReturnType<typeof openKeyring>

interface Saved {
  /** Base58 of the 64-byte secret keys, the format that other wallets import. */
  readonly secretKeys: readonly string[]
  readonly active: number
  readonly locked: boolean
  readonly trusted: readonly string[]
  /** Missing in state written by an earlier version. */
  readonly hardware?: HardwareMode
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every(text => typeof text === 'string')
}

function isHardware(value: unknown): boolean {
  return typeof value === 'boolean' || value === 'undeclared'
}

function isSaved(value: unknown): value is Saved {
  return (
    typeof value === 'object' &&
    value !== null &&
    'secretKeys' in value &&
    isTexts(value.secretKeys) &&
    'active' in value &&
    typeof value.active === 'number' &&
    'locked' in value &&
    typeof value.locked === 'boolean' &&
    'trusted' in value &&
    isTexts(value.trusted) &&
    (!('hardware' in value) || isHardware(value.hardware)) &&
    value.secretKeys[value.active] !== undefined
  )
}

function newSecretKey(): string {
  return bs58.encode(nacl.sign.keyPair().secretKey)
}

function restore(store: Store, { accounts, hardware }: NewKeyring): Saved {
  const stored = store.read()
  if (isSaved(stored)) {
    try {
      for (const key of stored.secretKeys) nacl.sign.keyPair.fromSecretKey(bs58.decode(key))
      return stored
    } catch {
      // The stored value is invalid: start over, as with empty storage.
    }
  }
  const secretKeys = Array.from({ length: accounts }, newSecretKey)
  const fresh = { secretKeys, active: 0, locked: false, trusted: [], hardware }
  store.write(fresh)
  return fresh
}

/** Initial state of a keyring that is not in storage yet. */
export interface NewKeyring {
  /** Number of accounts. */
  readonly accounts: number
  readonly hardware: HardwareMode
}

export function openKeyring(storageKey: string, fresh: NewKeyring) {
  const store = openStore(storageKey)
  const listeners = new Set<() => void>()
  let opened: Opened | undefined
  /** Reads the keys, or creates them, when they are first needed: creating one takes a phone 100 ms. */
  const open = () => {
    opened ??= withKeys(restore(store, fresh))
    return opened
  }

  const take = (next: Saved) => {
    opened = next.secretKeys === opened?.saved.secretKeys ? { ...opened, saved: next } : withKeys(next)
    for (const listener of [...listeners]) listener()
  }
  const update = (change: Partial<Saved>) => {
    const next = { ...open().saved, ...change }
    store.write(next)
    take(next)
  }
  const reload = () => take(restore(store, fresh))
  const unwatch = store.watch(reload)
  const at = (index: number) => {
    const { keys } = open()
    const key = keys[index]
    if (!key) throw new RangeError(`This wallet has ${keys.length} accounts; there is no account ${index}.`)
    return key
  }

  return {
    get keys(): readonly Key[] {
      return open().keys
    },
    get active(): Key {
      return at(open().saved.active)
    },
    get locked(): boolean {
      return open().saved.locked
    },
    get hardware(): HardwareMode {
      return open().saved.hardware ?? false
    },
    add: () => {
      const { secretKeys } = open().saved
      update({ secretKeys: [...secretKeys, newSecretKey()], active: secretKeys.length })
    },
    /** @throws RangeError if the key does not exist */
    select: (index: number) => {
      at(index)
      update({ active: index })
    },
    setLocked: (locked: boolean) => update({ locked }),
    setHardware: (hardware: HardwareMode) => update({ hardware }),
    /** Reads changes by another tab whose storage event may not have arrived yet. */
    reload,
    trusts: (origin: string) => open().saved.trusted.includes(origin),
    setTrust: (origin: string, trusted: boolean) => {
      const others = open().saved.trusted.filter(site => site !== origin)
      update({ trusted: trusted ? [...others, origin] : others })
    },
    /** Signs `bytes` with Ed25519; returns 64 bytes. @throws Error if the address is not in the keyring */
    sign: (address: string, bytes: Uint8Array): Uint8Array => {
      const key = open().keys.find(key => key.address === address)
      if (!key) throw new Error(`This wallet does not hold ${address}.`)
      return nacl.sign.detached(bytes, key.secretKey)
    },
    subscribe: (listener: () => void): (() => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    dispose: unwatch,
  }
}

interface Key {
  /** Base58 of the public key. */
  readonly address: string
  readonly publicKey: Uint8Array
}

interface Opened {
  readonly saved: Saved
  readonly keys: readonly (Key & { readonly secretKey: Uint8Array })[]
}

function withKeys(saved: Saved): Opened {
  const keys = saved.secretKeys.map(text => {
    const { publicKey, secretKey } = nacl.sign.keyPair.fromSecretKey(bs58.decode(text))
    return { address: bs58.encode(publicKey), publicKey, secretKey }
  })
  return { saved, keys }
}
