/** Malicious or broken wallets. An app that lists wallets must survive each, and so must its other wallets. */
import { createPlainWallet } from './plain-wallet.js'

export interface HostileWallet {
  /** Defect of the wallet; also in its name, if the name can be read. */
  readonly fault: string
  /** Passed to `announce` unchanged. */
  readonly wallet: unknown
  /** `shape`: violates the standard's types, so an app need not list it. `behaviour`: looks valid, but misbehaves. */
  readonly kind: 'shape' | 'behaviour'
}

/** Global property that any script run by a fixture sets to true. */
export const HOSTILE_MARK = 'keybayHostileScriptRan'
const SCRIPT = `globalThis.${HOSTILE_MARK}=true`
const HUGE = 5_000_000
const WALLET_FIELDS = ['name', 'icon', 'chains', 'features', 'accounts', 'version'] as const

function hostile(kind: HostileWallet['kind'], fault: string, fields: PropertyDescriptorMap = {}): HostileWallet {
  const plain = createPlainWallet(`Hostile: ${fault}`)
  const own = Object.getOwnPropertyDescriptors(plain)
  return { kind, fault, wallet: Object.defineProperties({}, { ...own, ...fields }) }
}

function value(value: unknown): PropertyDescriptor {
  return { value, enumerable: true }
}

function get(getter: () => unknown): PropertyDescriptor {
  return { get: getter, enumerable: true }
}

function fail(): never {
  throw new Error('hostile')
}

/** Returns the plain wallet's features with some replaced. */
function features(replaced: Readonly<Record<string, unknown>>): PropertyDescriptorMap {
  return { features: value({ ...createPlainWallet('Hostile').features, ...replaced }) }
}

function connect(connect: (...args: unknown[]) => unknown): PropertyDescriptorMap {
  return features({ 'standard:connect': { version: '1.0.0', connect } })
}

function account(change: Readonly<Record<string, unknown>>) {
  return {
    address: '11111111111111111111111111111111',
    publicKey: new Uint8Array(32),
    chains: ['solana:localnet'],
    features: ['solana:signTransaction'],
    ...change,
  }
}

function revoked(): unknown {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  return proxy
}

/** Creates a new set of all hostile wallets: register each with `announce`. */
export function hostileWallets(): readonly HostileWallet[] {
  return [
    { kind: 'shape', fault: 'null', wallet: null },
    { kind: 'shape', fault: 'undefined', wallet: undefined },
    { kind: 'shape', fault: 'a string', wallet: 'wallet' },
    { kind: 'shape', fault: 'an empty object', wallet: {} },
    { kind: 'shape', fault: 'a revoked proxy', wallet: revoked() },
    ...WALLET_FIELDS.map(field => hostile('shape', `${field} is a number`, { [field]: value(7) })),
    ...WALLET_FIELDS.map(field => hostile('shape', `${field} throws when read`, { [field]: get(fail) })),
    hostile('shape', 'features hold null', features({ 'standard:connect': null })),
    hostile('shape', 'connect is no function', features({ 'standard:connect': { version: '1.0.0', connect: 'yes' } })),
    hostile('shape', 'chains hold no strings', { chains: value([null, 7, {}]) }),
    hostile('shape', 'icon is a javascript: address', { icon: value(`javascript:${SCRIPT}`) }),
    hostile('shape', 'icon is a page', { icon: value(`data:text/html,<script>${SCRIPT}</script>`) }),
    hostile('shape', 'icon breaks out of an attribute', { icon: value(`data:image/png;base64,x" onerror="${SCRIPT}`) }),
    hostile('shape', 'icon is fetched from elsewhere', { icon: value('https://tracker.invalid/pixel.png') }),
    hostile('behaviour', 'icon holds a script', {
      icon: value(
        `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" onload="${SCRIPT}"><script>${SCRIPT}</script></svg>`)}`,
      ),
    }),
    hostile('behaviour', 'icon of 5 million characters', { icon: value(`data:image/png;base64,${'A'.repeat(HUGE)}`) }),
    hostile('behaviour', 'name holds a script', { name: value(`<img src=x onerror="${SCRIPT}"> Hostile`) }),
    hostile('behaviour', 'name of 100,000 characters', { name: value('Hostile '.repeat(12_500)) }),
    hostile('behaviour', 'name turns the text around', { name: value('Hostile \u202Etellaw tsenoH\u0000\u0007') }),
    hostile('behaviour', 'name is empty', { name: value('') }),
    hostile('behaviour', 'name of the prototype', { name: value('__proto__') }),
    hostile('behaviour', 'name changes with each read', {
      name: get(
        (
          n => () =>
            `Hostile ${++n}`
        )(0),
      ),
    }),
    hostile(
      'behaviour',
      'events throw on subscription',
      features({ 'standard:events': { version: '1.0.0', on: fail } }),
    ),
    hostile('behaviour', 'events give no way back', features({ 'standard:events': { version: '1.0.0', on: () => 7 } })),
    hostile('behaviour', 'unsubscribing throws', features({ 'standard:events': { version: '1.0.0', on: () => fail } })),
    hostile(
      'behaviour',
      'events fire nonsense at once',
      features({
        'standard:events': {
          version: '1.0.0',
          on: (_: unknown, listener: (change: unknown) => void) => {
            for (const change of [undefined, null, {}, { accounts: 7 }, { accounts: [null] }, { features: null }])
              listener(change)
            return () => {}
          },
        },
      }),
    ),
    hostile(
      'behaviour',
      'connect never answers',
      connect(() => new Promise(() => {})),
    ),
    hostile('behaviour', 'connect throws at once', connect(fail)),
    hostile(
      'behaviour',
      'connect rejects with nothing',
      connect(() => Promise.reject(undefined)),
    ),
    hostile(
      'behaviour',
      'connect answers with nonsense',
      connect(async () => ({ accounts: 'none' })),
    ),
    hostile(
      'behaviour',
      'connect answers undefined',
      connect(async () => undefined),
    ),
    hostile(
      'behaviour',
      'connect answers no account',
      connect(async () => ({ accounts: [] })),
    ),
    hostile(
      'behaviour',
      'connect answers a wrong address',
      connect(async () => ({ accounts: [account({ address: '<b>not base58</b>' })] })),
    ),
    hostile(
      'behaviour',
      'connect answers an account whose getters throw',
      connect(async () => ({ accounts: [Object.defineProperty(account({}), 'address', { get: fail })] })),
    ),
    hostile(
      'behaviour',
      'connect answers twice',
      connect(() => ({
        // biome-ignore lint/suspicious/noThenProperty: a thenable that settles twice is the fault
        then: (resolve: (answer: unknown) => void) => {
          resolve({ accounts: [account({})] })
          resolve({ accounts: [account({}), account({ address: 'SysvarC1ock11111111111111111111111111111111' })] })
        },
      })),
    ),
    hostile(
      'behaviour',
      'connect answers 10,000 accounts',
      connect(async () => ({ accounts: Array(10_000).fill(account({})) })),
    ),
    hostile(
      'behaviour',
      'disconnect never answers',
      features({ 'standard:disconnect': { version: '1.0.0', disconnect: () => new Promise(() => {}) } }),
    ),
  ]
}
