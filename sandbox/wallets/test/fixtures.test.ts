// @vitest-environment happy-dom
import { getWallets } from '@wallet-standard/app'
import nacl from 'tweetnacl'
import { describe, expect, it } from 'vitest'
import { announce, hostileWallets, registerManyWallets } from '../src/index.js'

describe('many wallets', () => {
  it('registers 1,000 test wallets, each with its own name and key, and unregisters them', async () => {
    const app = getWallets()
    const many = registerManyWallets(1000)
    expect(app.get()).toHaveLength(1000)
    expect(many.wallets[0]?.name).toBe('Test wallet 0001')
    expect(new Set(many.wallets.map(({ name }) => name)).size).toBe(1000)
    const [first, second] = many.wallets
    const connect = async (wallet = first) => {
      const feature = wallet?.features['standard:connect'] as {
        connect(): Promise<{ accounts: { address: string }[] }>
      }
      return (await feature.connect()).accounts[0]?.address
    }
    expect(await connect(first)).not.toBe(await connect(second))
    expect(await connect(first)).toBe(await connect(first))
    many.unregister()
    expect(app.get()).toHaveLength(0)
  })
  it('test wallets make valid signatures', async () => {
    const { wallets, unregister } = registerManyWallets(1)
    const [wallet] = wallets
    const features = wallet?.features as {
      'standard:connect': { connect(): Promise<{ accounts: { publicKey: Uint8Array }[] }> }
      'solana:signMessage': { signMessage(input: object): Promise<{ signature: Uint8Array }[]> }
    }
    const [account] = (await features['standard:connect'].connect()).accounts
    const message = new TextEncoder().encode('hello')
    const [output] = await features['solana:signMessage'].signMessage({ account, message })
    expect(
      nacl.sign.detached.verify(message, output?.signature ?? new Uint8Array(), account?.publicKey ?? new Uint8Array()),
    ).toBe(true)
    unregister()
  })
})

describe('hostile wallets', () => {
  const all = hostileWallets()
  it('hostile wallets have different faults, and each call creates new wallets', () => {
    expect(new Set(all.map(({ fault }) => fault)).size).toBe(all.length)
    expect(all.length).toBeGreaterThan(35)
    expect(hostileWallets()[6]?.wallet).not.toBe(all[6]?.wallet)
  })
  it('hostile wallets reach an app unchanged', () => {
    const received: unknown[] = []
    const listen = (event: Event) => {
      if (event instanceof CustomEvent)
        event.detail({
          register: (wallet: unknown) => {
            received.push(wallet)
            return () => received.splice(received.indexOf(wallet), 1)
          },
        })
    }
    addEventListener('wallet-standard:register-wallet', listen)
    const withdraw = all.map(({ wallet }) => announce(wallet))
    removeEventListener('wallet-standard:register-wallet', listen)
    expect(received).toHaveLength(all.length)
    for (const unregisterWallet of withdraw) unregisterWallet()
    expect(received).toEqual([])
  })
  const named = (fault: string) => all.find(entry => entry.fault === fault)?.wallet as Readonly<Record<string, never>>
  it('hostile wallets have the fault that their name states', async () => {
    expect(() => named('icon throws when read').icon).toThrow('hostile')
    expect(named('icon throws when read').name).toBe('Hostile: icon throws when read')
    const changing = named('name changes with each read')
    expect(changing.name).not.toBe(changing.name)
    expect(String(named('icon of 5 million characters').icon).length).toBeGreaterThan(5_000_000)
  })
})
