import { expect, expectTypeOf, it, vi } from 'vitest'
import { type AccountStore, accountStore, lazyApi, lazyWallet, loadOnce, type WalletWith } from '../src/index.js'
import { account } from './helpers.js'

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
    { name: 'w', icon: 'data:image/png;base64,', chains: [], features: { 'solana:signMessage': ['signMessage'] } },
    () => Promise.reject(new Error('offline')),
  )
  expectTypeOf(wallet).toExtend<WalletWith<'solana:signMessage' | 'standard:events'>>()
  expectTypeOf(wallet).not.toExtend<WalletWith<'solana:signTransaction'>>()
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
