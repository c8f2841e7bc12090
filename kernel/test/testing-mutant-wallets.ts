/** Wallets with a wrong identity or wrong accounts, and wallets that act in setup or ignore a call. */
import type { WalletAccount } from '@wallet-standard/base'
import type { Kernel, WalletConnector } from '../src/index.js'
import type { MockWallet } from '../src/testing/index.js'
import { type Broken, brokenWallet, connectWith, withFeature } from './testing-break.js'

const ACCOUNTS = 'accounts: each address is its public key, on a chain of the wallet, and listed once'
const READINESS = 'readiness: a known value, and where to get it if it is not installed'
const SHAPE = 'wallet: the shape of Wallet Standard'
const ICON = 'icon: a data URL of an image'
const NAME = 'name: readable text'
const CLAIMS = 'claims: synchronous, and never throws or claims what is not its own'

/** Fields of the connector. */
const fields: readonly (readonly [what: string, check: string, says: string, fields: object])[] = [
  ['its name is empty', NAME, 'there must be a name', { name: ' ' }],
  ['its name is long', NAME, 'at most 64 characters, not 65', { name: 'x'.repeat(65) }],
  ['its name breaks the line', NAME, 'must not control the text', { name: 'Acme\nbank' }],
  ['its name is no text', NAME, 'there must be a name', { name: 7 }],
  ['it has no icon', ICON, 'must be a data URL', { icon: '' }],
  ['its icon is a page', ICON, 'must be a data URL', { icon: 'data:text/html,x' }],
  ['its icon is large', ICON, 'at most 200000 characters', { icon: `data:image/png,${'x'.repeat(200_000)}` }],
  ['its readiness is unknown', READINESS, 'must be one of', { readiness: 'soon' }],
  [
    'its place to install is a script',
    READINESS,
    'must say where to get it',
    { readiness: 'not-installed', installUrl: 'javascript:alert(1)' },
  ],
  ['its connection type is unknown', SHAPE, 'is no connection type', { connectionType: 'cable' }],
  ['it claims every address', CLAIMS, 'claims must be false for https://example.com/', { claims: () => true }],
  ['it claims later', CLAIMS, 'claims must be false for', { claims: async () => false }],
  [
    'it claims any code',
    CLAIMS,
    'claims must be false for https://example.com/?code=1',
    { claims: (url: URL) => url.searchParams.has('code') },
  ],
]

/** Fields of the wallet. */
const shapes: readonly (readonly [what: string, says: string, fields: object])[] = [
  ['it is of another version', 'wallet.version must be 1.0.0', { version: '2.0.0' }],
  ['it has no chain', 'wallet.chains must be a list of names', { chains: [] }],
  ['its chain has no name', 'wallet.chains must be a list of names', { chains: ['solana'] }],
  ['its features are a list', 'a feature must have a name', { features: ['x'] }],
]

function withWallet(mock: MockWallet, fields: object) {
  const descriptors = Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, { value }]))
  return { wallet: Object.create(mock.wallet, descriptors) }
}

type Account = WalletAccount
const accounts: readonly (readonly [what: string, says: string, change: (account: Account) => readonly Account[]])[] = [
  ['another address', 'the address must be publicKey in base58', a => [{ ...a, address: '1'.repeat(32) }]],
  ['a hexadecimal address', 'the address must be publicKey in base58', a => [{ ...a, address: '0xdeadbeef' }]],
  ['a short key', 'publicKey must be of 32 bytes, not 31', a => [{ ...a, publicKey: a.publicKey.slice(1) }]],
  ['a key of zeros', 'the address must be publicKey in base58', a => [{ ...a, publicKey: new Uint8Array(32) }]],
  ['a chain that the wallet lacks', 'which wallet.chains lacks', a => [{ ...a, chains: ['solana:mainnet'] }]],
  ['one chain too many', 'is on solana:x', a => [{ ...a, chains: [...a.chains, 'solana:x'] }]],
  ['the same account twice', 'must be listed once', a => [a, { ...a }]],
]

/** Work that runs in `setup`, and its name in the check's message. */
const setups: readonly (readonly [what: string, says: string, run: () => unknown])[] = [
  ['fetches', 'fetch', () => void fetch('http://127.0.0.1:1/').catch(() => {})],
  ['opens a request', 'XMLHttpRequest', () => new XMLHttpRequest()],
  ['reads localStorage', 'localStorage.getItem', () => localStorage.getItem('acme')],
  ['writes localStorage', 'localStorage.setItem', () => localStorage.setItem('acme', '1')],
  ['reads sessionStorage', 'sessionStorage.getItem', () => sessionStorage.getItem('acme')],
  ['opens a BroadcastChannel', 'BroadcastChannel “acme”', () => new BroadcastChannel('acme').close()],
  ['listens to the document', 'document click', () => document.addEventListener('click', () => {})],
  ['starts an interval', 'an interval', () => clearAtEnd(setInterval(() => {}, 1000))],
  ['adds an element', '<dialog>', () => document.body.append(document.createElement('dialog'))],
]

const intervals: ReturnType<typeof setInterval>[] = []
function clearAtEnd(interval: ReturnType<typeof setInterval>) {
  intervals.push(interval)
}
/** Undoes what a setup leaves in the page that all tests share. */
export function cleanSetups(): void {
  for (const interval of intervals.splice(0)) clearInterval(interval)
  for (const dialog of document.querySelectorAll('dialog')) dialog.remove()
}

const emitted: readonly (readonly [name: string, emit: (kernel: Kernel<never>) => void])[] = [
  ['session:changed', ({ events }) => events.emit('session:changed', { session: { status: 'anonymous' } })],
  ['connection:closed', ({ events }) => events.emit('connection:closed', { connectorId: 'mock', by: 'host' })],
  ['prompt:closed', ({ events }) => events.emit('prompt:closed', { promptId: '1' })],
  ['log', ({ events }) => events.emit('log', { level: 'info', message: 'hello' })],
]

function connectAfter(mock: MockWallet, run: () => unknown): Pick<WalletConnector, 'connect'> {
  return {
    async connect({ silent, signal }) {
      const answer = await mock.wallet.features['standard:connect']?.connect({ silent })
      signal.throwIfAborted()
      run()
      return answer?.accounts ?? []
    },
  }
}

const calls: readonly Broken[] = [
  brokenWallet(
    'it ignores silent',
    'connect: silent gives no account before the user has approved',
    'must give no account before the user has approved',
    mock =>
      withFeature(mock, 'standard:connect', old => ({
        connect: async () => (await old?.connect()) ?? { accounts: [] },
      })),
  ),
  brokenWallet(
    'its wallet lists nothing after a connect',
    'accounts: wallet.accounts holds them after a connect',
    'but holds nothing',
    mock => withWallet(mock, { accounts: [] }),
  ),
  brokenWallet('it ignores a disconnect', 'disconnect: reaches the wallet', 'must be empty after a disconnect', mock =>
    withFeature(mock, 'standard:disconnect', () => ({ disconnect: async () => {} })),
  ),
  brokenWallet('its own disconnect does nothing', 'disconnect: reaches the wallet', 'must be empty after', () => ({
    disconnect: async () => {},
  })),
  brokenWallet('it ignores off', 'events: off ends the listening', 'must not be called after off', mock =>
    withFeature(mock, 'standard:events', old => ({
      on: (event, listener) => {
        old?.on(event, listener)
        return () => {}
      },
    })),
  ),
  brokenWallet('it gives no off', 'events: off ends the listening', 'must return a function', mock =>
    withFeature(mock, 'standard:events', () => ({ on: () => Object(undefined) })),
  ),
  brokenWallet(
    'it empties localStorage',
    'storage: leaves the items of the app alone',
    'localStorage must keep',
    mock => connectAfter(mock, () => localStorage.clear()),
  ),
  brokenWallet(
    'it empties sessionStorage',
    'storage: leaves the items of the app alone',
    'sessionStorage must keep',
    mock => connectAfter(mock, () => sessionStorage.clear()),
  ),
  brokenWallet(
    'it keeps a channel open',
    'dispose: leaves no listener, timer or element',
    'BroadcastChannel “a”',
    mock => connectAfter(mock, () => new BroadcastChannel('a')),
  ),
]

export const mutantWallets: readonly Broken[] = [
  ...fields.map(([what, check, says, changed]) => brokenWallet(what, check, says, () => changed)),
  ...shapes.map(([what, says, changed]) => brokenWallet(what, SHAPE, says, mock => withWallet(mock, changed))),
  ...accounts.map(([what, says, change]) =>
    brokenWallet(`it reports ${what}`, ACCOUNTS, says, mock => connectWith(mock, list => list.flatMap(change))),
  ),
  ...setups.map(([what, says, run]) =>
    brokenWallet(`its setup ${what}`, 'setup: only builds', says, () => {
      run()
      return {}
    }),
  ),
  ...emitted.map(([name, emit]) =>
    brokenWallet(
      `it emits ${name}`,
      'events: only the kernel emits those of the kernel',
      `it emitted ${name}`,
      (mock, kernel) => connectAfter(mock, () => emit(kernel)),
    ),
  ),
  ...calls,
]
