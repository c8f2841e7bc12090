// @vitest-environment happy-dom
/** Tests the export window as the page opens it. sandbox/testing opens a key of the real custody service in it. */
import { installPasskeys, type PagePasskeys } from '@keybay/sandbox-tools/testing/page-passkeys'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { isSealed } from '../src/export/messages.js'
import { accountOn, createHost, type Host, signIn } from './host.js'
import { startWorld, type World } from './world.js'

let world: World
let device: PagePasskeys
let keybay: Host
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

it('the export window accepts only complete messages, and derivation paths only for Solana', () => {
  const sealed = { type: 'sealed', exportBundle: '{}', organizationId: 'o', address: 'a', chain: 'SOL' }
  expect(isSealed(sealed)).toBe(true)
  expect(isSealed({ ...sealed, path: "m/44'/501'/0'/0'" })).toBe(true)
  for (const path of ["m/44'/60'/0'/0/0", 'm', 5, "m/44'/501'/x'", `m${"/0'".repeat(11)}`])
    expect([path, isSealed({ ...sealed, path })]).toEqual([path, false])
  expect(isSealed({ ...sealed, chain: 'EVM', path: "m/44'/501'/0'/0'" })).toBe(false)
  expect(isSealed({ ...sealed, chain: 'BTC' })).toBe(false)
  expect(isSealed({ ...sealed, exportBundle: undefined })).toBe(false)
})

it('[S5.9] an export reports a missing container or account before any custody request', async () => {
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

it('[S2.3] opens the export window on the host that belongs to the product API’s address', async () => {
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
