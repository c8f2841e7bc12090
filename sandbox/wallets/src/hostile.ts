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
type Faults = readonly (readonly [fault: string, fields: PropertyDescriptorMap])[]

/** Global property that any script run by a fixture sets to true. */
export const HOSTILE_MARK = 'keybayHostileScriptRan'
const SCRIPT = `globalThis.${HOSTILE_MARK}=true`
const SVG = `<svg xmlns="http://www.w3.org/2000/svg" onload="${SCRIPT}"><script>${SCRIPT}</script></svg>`
const HUGE = 5_000_000
const WALLET_FIELDS = ['name', 'icon', 'chains', 'features', 'accounts', 'version'] as const

function hostile(kind: HostileWallet['kind'], fault: string, fields: PropertyDescriptorMap): HostileWallet {
  const plain = Object.getOwnPropertyDescriptors(createPlainWallet(`Hostile: ${fault}`))
  return { kind, fault, wallet: Object.defineProperties({}, { ...plain, ...fields }) }
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

function never(): Promise<never> {
  return new Promise(() => {})
}

/** Replaces one of the plain wallet's features. */
function feature(name: string, feature: object | null): PropertyDescriptorMap {
  const replaced = feature && { version: '1.0.0', ...feature }
  return { features: value({ ...createPlainWallet('Hostile').features, [name]: replaced }) }
}

function events(on: (name: unknown, listener: (change: unknown) => void) => unknown): PropertyDescriptorMap {
  return feature('standard:events', { on })
}

function connect(connect: unknown): PropertyDescriptorMap {
  return feature('standard:connect', { connect })
}

function answer(result: unknown): PropertyDescriptorMap {
  return connect(async () => result)
}

function account(change: Readonly<Record<string, unknown>> = {}) {
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

function shapes(): Faults {
  return [
    ...WALLET_FIELDS.map(field => [`${field} is a number`, { [field]: value(7) }] as const),
    ...WALLET_FIELDS.map(field => [`${field} throws when read`, { [field]: get(fail) }] as const),
    ['features hold null', feature('standard:connect', null)],
    ['connect is no function', connect('yes')],
    ['chains hold no strings', { chains: value([null, 7, {}]) }],
    ['icon is a javascript: address', { icon: value(`javascript:${SCRIPT}`) }],
    ['icon is a page', { icon: value(`data:text/html,<script>${SCRIPT}</script>`) }],
    ['icon breaks out of an attribute', { icon: value(`data:image/png;base64,x" onerror="${SCRIPT}`) }],
    ['icon is fetched from elsewhere', { icon: value('https://tracker.invalid/pixel.png') }],
  ]
}

function names(): Faults {
  let reads = 0
  return [
    ['icon holds a script', { icon: value(`data:image/svg+xml,${encodeURIComponent(SVG)}`) }],
    ['icon of 5 million characters', { icon: value(`data:image/png;base64,${'A'.repeat(HUGE)}`) }],
    ['name holds a script', { name: value(`<img src=x onerror="${SCRIPT}"> Hostile`) }],
    ['name of 100,000 characters', { name: value('Hostile '.repeat(12_500)) }],
    ['name turns the text around', { name: value('Hostile \u202Etellaw tsenoH\u0000\u0007') }],
    ['name is empty', { name: value('') }],
    ['name of the prototype', { name: value('__proto__') }],
    ['name changes with each read', { name: get(() => `Hostile ${++reads}`) }],
  ]
}

/** Fires nonsense during the subscription. */
function nonsense(): PropertyDescriptorMap {
  return events((_, listener) => {
    for (const change of [undefined, null, {}, { accounts: 7 }, { accounts: [null] }, { features: null }])
      listener(change)
    return () => {}
  })
}

function twice(): PropertyDescriptorMap {
  return connect(() => ({
    // biome-ignore lint/suspicious/noThenProperty: a thenable that settles twice is the fault
    then: (resolve: (answer: unknown) => void) => {
      resolve({ accounts: [account()] })
      resolve({ accounts: [account(), account({ address: 'SysvarC1ock11111111111111111111111111111111' })] })
    },
  }))
}

function behaviours(): Faults {
  const throwing = Object.defineProperty(account(), 'address', { get: fail })
  return [
    ...names(),
    ['events throw on subscription', events(fail)],
    ['events give no way back', events(() => 7)],
    ['unsubscribing throws', events(() => fail)],
    ['events fire nonsense at once', nonsense()],
    ['connect never answers', connect(never)],
    ['connect throws at once', connect(fail)],
    ['connect rejects with nothing', connect(() => Promise.reject(undefined))],
    ['connect answers with nonsense', answer({ accounts: 'none' })],
    ['connect answers undefined', answer(undefined)],
    ['connect answers no account', answer({ accounts: [] })],
    ['connect answers a wrong address', answer({ accounts: [account({ address: '<b>not base58</b>' })] })],
    ['connect answers an account whose getters throw', answer({ accounts: [throwing] })],
    ['connect answers twice', twice()],
    ['connect answers 10,000 accounts', answer({ accounts: Array(10_000).fill(account()) })],
    ['disconnect never answers', feature('standard:disconnect', { disconnect: never })],
  ]
}

/** Creates a new set of all hostile wallets: register each with `announce`. */
export function hostileWallets(): readonly HostileWallet[] {
  return [
    { kind: 'shape', fault: 'null', wallet: null },
    { kind: 'shape', fault: 'undefined', wallet: undefined },
    { kind: 'shape', fault: 'a string', wallet: 'wallet' },
    { kind: 'shape', fault: 'an empty object', wallet: {} },
    { kind: 'shape', fault: 'a revoked proxy', wallet: revoked() },
    ...shapes().map(([fault, fields]) => hostile('shape', fault, fields)),
    ...behaviours().map(([fault, fields]) => hostile('behaviour', fault, fields)),
  ]
}
