// @vitest-environment happy-dom
/** What the export window opens, of what the real custody seals; and what it refuses. The window itself is in sandbox/testing. */

import { installPasskeys, type PagePasskeys } from '@keybay/sandbox-tools/testing/page-passkeys'
import { generateP256KeyPair } from '@turnkey/crypto'
import { TurnkeyClient } from '@turnkey/http'
import { WebauthnStamper } from '@turnkey/webauthn-stamper'
import bs58 from 'bs58'
import { addr } from 'micro-eth-signer'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { Sealed } from '../src/export/messages.js'
import { isSealed } from '../src/export/messages.js'
import { readExportConfiguration } from '../src/frame/configuration.js'
import { openBundle } from '../src/frame/open-bundle.js'
import { keyOfWords } from '../src/frame/words.js'
import { accountOn, createHost, type Host, signIn } from './host.js'
import { startWorld, type World } from './world.js'

let world: World
let device: PagePasskeys
let keybay: Host
const target = generateP256KeyPair()

async function sealed(chain: 'SOL' | 'EVM'): Promise<Sealed> {
  const { address } = accountOn(keybay, chain === 'SOL' ? 'solana:' : 'eip155:')
  const [wallet] = await keybay.turnkey.wallets()
  return {
    type: 'sealed',
    exportBundle: await keybay.turnkey.exportWalletAccount(address, { targetPublicKey: target.publicKeyUncompressed }),
    organizationId: wallet?.walletProperties?.turnkeySubOrganizationId ?? '',
    address,
    chain,
  }
}
beforeAll(async () => {
  world = await startWorld()
  device = installPasskeys()
  keybay = createHost(world)
  await signIn(world, keybay)
  await keybay.turnkey.createWallet()
  await keybay.connect('turnkey')
})
afterAll(async () => {
  keybay.dispose()
  device.remove()
  await world.stop()
})

it('opens the key of the account that was asked for, as wallets of its chain take it', async () => {
  const [sol, evm] = [await sealed('SOL'), await sealed('EVM')]
  const solana = bs58.decode(await openBundle(sol, target.privateKey, world.signerPublicKey))
  expect(bs58.encode(solana.subarray(32))).toBe(sol.address)
  const ethereum = await openBundle(evm, target.privateKey, world.signerPublicKey)
  expect(addr.fromPrivateKey(ethereum)).toBe(evm.address)
})

async function sealedWords(): Promise<Sealed> {
  const client = new TurnkeyClient({ baseUrl: world.custodyUrl }, new WebauthnStamper({ rpId: location.hostname }))
  const sol = await sealed('SOL')
  const { organizationId, address } = sol
  const { accounts } = await client.getWalletAccounts({ organizationId })
  const { walletId = '', path = '' } = accounts.find(one => one.address === address) ?? {}
  const exportBundle = await keybay.turnkey.exportWallet(walletId, { targetPublicKey: target.publicKeyUncompressed })
  return { ...sol, exportBundle, path }
}

it('derives what every Solana wallet derives of the same words', async () => {
  // BIP-39's first vector with the path of Phantom and Solflare.
  const words = `${'abandon '.repeat(11)}about`
  const key = bs58.encode(await keyOfWords(words, "m/44'/501'/0'/0'"))
  expect(key).toBe('HAgk14JpMQLgt6rVgv7cBQFJWFto5Dqxi472uT3DKpqk')
  expect(bs58.encode(await keyOfWords(words, "m/44'/501'/1'/0'"))).not.toBe(key)
})

it('opens the words of a wallet that lead to the account, and shows no others', async () => {
  const own = await sealedWords()
  const words = await openBundle(own, target.privateKey, world.signerPublicKey)
  expect(words.split(' ')).toHaveLength(12)
  const [sol, { address }] = [await sealed('SOL'), await sealed('EVM')]
  for (const wrong of [
    { ...own, address: bs58.encode(new Uint8Array(32).fill(7)) },
    { ...own, path: "m/44'/501'/9'/0'" },
    { ...own, organizationId: 'another' },
    // A key in the place of words, and words in the place of a key.
    { ...own, exportBundle: sol.exportBundle },
    { ...sol, exportBundle: own.exportBundle },
  ])
    await expect(openBundle(wrong, target.privateKey, world.signerPublicKey)).rejects.toThrow()
  expect(isSealed(own)).toBe(true)
  for (const path of ["m/44'/60'/0'/0/0", 'm', 5, "m/44'/501'/x'", `m${"/0'".repeat(11)}`])
    expect([path, isSealed({ ...own, path })]).toEqual([path, false])
  expect(isSealed({ ...own, chain: 'EVM', address })).toBe(false)
})

it('opens nothing for another window, organisation, account or signer', async () => {
  const [sol, evm] = [await sealed('SOL'), await sealed('EVM')]
  const { privateKey } = target
  const other = generateP256KeyPair()
  const refused: readonly (readonly [Sealed, string, string | undefined])[] = [
    [sol, other.privateKey, world.signerPublicKey],
    [{ ...sol, organizationId: 'another' }, privateKey, world.signerPublicKey],
    [{ ...sol, exportBundle: sol.exportBundle.replace(/"data":"../, '"data":"20') }, privateKey, world.signerPublicKey],
    [{ ...sol, exportBundle: 'no bundle' }, privateKey, world.signerPublicKey],
    [sol, privateKey, other.publicKeyUncompressed],
    // Turnkey's own has not signed it.
    [sol, privateKey, undefined],
    [{ ...sol, address: bs58.encode(new Uint8Array(32).fill(7)) }, privateKey, world.signerPublicKey],
    [{ ...evm, address: '0xdf90dea0e0bf5ca6d2a7f0cb86874ba6714f463e' }, privateKey, world.signerPublicKey],
  ]
  for (const wrong of refused) await expect(openBundle(...wrong)).rejects.toThrow()
  expect(isSealed({ ...sol, chain: 'BTC' })).toBe(false)
  expect(isSealed({ ...sol, exportBundle: undefined })).toBe(false)
})

it('[S5.9] says that it needs a container and an account, before anything is asked of custody', async () => {
  const { address } = accountOn(keybay, 'solana:')
  await world.asked()
  const nothing: unknown = {}
  await expect(Reflect.apply(keybay.turnkey.exportKey, undefined, [address, nothing])).rejects.toMatchObject({
    code: 'display_container_missing',
  })
  const displayContainer = document.createElement('div')
  await expect(keybay.turnkey.exportKey('nobody', { displayContainer })).rejects.toMatchObject({
    code: 'account_not_found',
  })
  expect(await world.asked()).toEqual([])
})

it('[S2.3] the window is of the host that the product API’s address leads to', async () => {
  const { address } = accountOn(keybay, 'solana:')
  const displayContainer = document.createElement('div')
  const left = new AbortController()
  const shown = keybay.turnkey.exportKey(address, { displayContainer, signal: left.signal })
  const outcome = shown.catch((error: unknown) => error)
  const src = await vi.waitFor(
    () => {
      const element = displayContainer.querySelector('iframe')
      expect(element).not.toBe(null)
      return element?.src
    },
    { timeout: 60_000 },
  )
  expect(src).toMatch(/^http:\/\/wallet\.localhost:4200\/turnkey-export-v1\/local\?/)
  left.abort()
  expect(await outcome).toMatchObject({ code: 'aborted' })
  expect(displayContainer.children).toHaveLength(0)
})

it.each([
  ['nothing', null],
  ['no origins', { parentOrigins: [] }],
  ['an origin that is none', { parentOrigins: ['null'] }],
  ['an origin with a path', { parentOrigins: ['https://example.com/app'] }],
  ['a key that is none', { parentOrigins: ['https://example.com'], signerPublicKey: '04' }],
  ['an unknown field', { parentOrigins: ['https://example.com'], connect: '*' }],
])('the window does not start with %s', (_, configuration) =>
  expect(() => readExportConfiguration(configuration)).toThrow(/configuration is wrong/),
)
