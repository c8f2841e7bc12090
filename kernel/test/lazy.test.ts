import { expect, expectTypeOf, it, vi } from 'vitest'
import { type AccountStore, accountStore, lazyApi, lazyWallet, loadOnce, type WalletWith } from '../src/index.js'
import { utf8 } from '../src/spec/bytes.js'
import { account } from './helpers.js'

const ICON = 'data:image/png;base64,'

class Engine {
  calls = 0
  count(step: number): number {
    this.calls += step
    return this.calls
  }
  async fail(): Promise<void> {
    throw new DOMException('stop', 'AbortError')
  }
}

it('lazyApi loads once for all calls, keeps `this`, and retries after a failed load', async () => {
  const start = vi.fn(async () => new Engine())
  start.mockRejectedValueOnce(new Error('offline'))
  const load = loadOnce(start)
  const api = lazyApi(load, ['count', 'fail'])
  expectTypeOf(api.count).toEqualTypeOf<(step: number) => Promise<number>>()
  expect(start).not.toHaveBeenCalled()
  await expect(api.count(1)).rejects.toMatchObject({ code: 'internal', message: expect.stringContaining('offline') })
  expect(await Promise.all([api.count(1), api.count(2)])).toEqual([1, 3])
  expect(start).toHaveBeenCalledTimes(2)
})

it('lazyApi rejects with a KeybayError whatever the loaded code throws', async () => {
  const api = lazyApi(async () => new Engine(), ['fail'])
  await expect(api.fail()).rejects.toMatchObject({ name: 'KeybayError', code: 'aborted' })
})

it('lazyWallet is typed by the features that the caller declares', () => {
  const wallet = lazyWallet(
    { name: 'w', icon: ICON, chains: [], features: { 'solana:signMessage': ['signMessage'] } },
    () => Promise.reject(new Error('offline')),
  )
  expectTypeOf(wallet).toExtend<WalletWith<'solana:signMessage' | 'standard:events'>>()
  expectTypeOf(wallet).not.toExtend<WalletWith<'solana:signTransaction'>>()
})

/** A wallet whose code loads with the first call, and the inputs that the loaded code was given. */
function recordInputs() {
  const inputs: unknown[] = []
  const signMessage = async (...received: readonly unknown[]) => void inputs.push(...received)
  const loaded = { version: '1.0.0', name: 'w', icon: ICON, chains: [], accounts: [] } as const
  const wallet = lazyWallet({ ...loaded, features: { 'solana:signMessage': ['signMessage'] } }, async () => ({
    ...loaded,
    features: { 'solana:signMessage': { version: '1.0.0', signMessage } },
  }))
  return { inputs, ...wallet.features['solana:signMessage'] }
}

it('lazyWallet signs the bytes of the call, even if they are a Buffer that the app changes while the code loads', async () => {
  const { inputs, signMessage } = recordInputs()
  const message = Buffer.from('pay 1')
  const signing = signMessage({ account: account('a'), message })
  message.write('pay 9')
  await signing
  expect(inputs).toMatchObject([{ message: utf8('pay 1') }])
})

/** Changes everything that a value holds. */
function spoil(value: unknown): void {
  if (value instanceof Uint8Array) value.fill(9)
  else if (typeof value === 'object' && value !== null)
    for (const [name, inner] of Object.entries<unknown>({ ...value })) {
      spoil(inner)
      Reflect.set(value, name, 'changed')
    }
}

it.each([
  ['an object', () => ({ to: 'mara', message: utf8('pay 1') })],
  ['an object without a prototype', () => Object.assign(Object.create(null), { to: 'mara' })],
  ['a list', () => ['mara', utf8('pay 1')]],
  ['a list of objects', () => [{ transaction: utf8('pay 1') }, { transaction: utf8('pay 2') }]],
  ['typed data', () => ({ message: { account: { to: ['mara'] }, amount: 1n, memo: undefined, at: null } })],
])('lazyWallet signs %s of the call, whatever the app changes in it while the code loads', async (_, create) => {
  const { inputs, signMessage } = recordInputs()
  const input = { account: account('a'), message: utf8(''), content: create() }
  const signing = signMessage(input)
  spoil(input.content)
  await signing
  expect(inputs).toEqual([{ ...input, content: create() }])
})

it('lazyWallet hands on the wallet’s account, the signal and other objects of a class as they are', async () => {
  const { inputs, signMessage } = recordInputs()
  const input = { account: account('a'), message: utf8(''), signal: AbortSignal.abort(), at: [new Date(0)] }
  await signMessage(input)
  expect(inputs).toMatchObject([{ signal: { aborted: true } }])
  const [received] = inputs.map(value => Object(value))
  // Many wallets compare their accounts by identity.
  expect(received.account).toBe(input.account)
  expect(received.signal).toBe(input.signal)
  expect(received.at[0]).toBe(input.at[0])
})

function recordChanges() {
  const addresses: string[] = []
  const listener = ({ accounts = [] }: Parameters<Parameters<AccountStore['events']['on']>[1]>[0]) => {
    addresses.push(accounts.map(({ address }) => address).join())
  }
  return { addresses, listener }
}

it('an account store emits real changes only, and keeps the object of an unchanged account', () => {
  const store = accountStore()
  const { addresses, listener } = recordChanges()
  store.events.on('change', listener)
  store.set([account('a')])
  const [first] = store.accounts
  store.set([account('a')])
  store.set([account('a'), account('b')])
  expect(store.accounts[0]).toBe(first)
  store.set([])
  expect(addresses).toEqual(['a', 'a,b', ''])
})

it('an account store calls a listener once per subscription, until each subscription is removed', () => {
  const store = accountStore()
  const { addresses, listener } = recordChanges()
  const removes = [store.events.on('change', listener), store.events.on('change', listener)]
  store.set([account('a')])
  removes[0]?.()
  store.set([account('b')])
  removes[1]?.()
  store.set([account('c')])
  expect(addresses).toEqual(['a', 'a', 'b'])
})
