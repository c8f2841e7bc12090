/** Creation at sign-in, in every tab and browser of a user: one wallet comes of it, whatever is killed on the way. */
import { expect, it } from 'vitest'
import { type Device, newDisk, openDevice } from './device.js'
import { refusing, withLie } from './liar.js'
import { backup, getWorld, openBrowser, setUpRelays, useWallet } from './wallet.js'

setUpRelays()

const key = { first: true, idempotencyKey: 'first-wallet' } as const
/** Creates in the hidden frame, as at a sign-in. */
function createHidden(device: Device) {
  return device.send('createWalletAccount', { ...key, thresholdSignatureScheme: 'TWO_OF_TWO' }, false)
}
/** Creates in the wallet's window. */
function createVisible(device: Device) {
  return device.send('createWalletAccount', { ...key, thresholdSignatureScheme: 'TWO_OF_THREE', backup })
}
const killed = refusing('/finish', 'internal_error', 'before')
/** R1 creates the wallet, and the response is lost. */
const unanswered = refusing('/finish', 'internal_error', 'after')

it('two tabs that sign in at once create one wallet without a question, and the other tab learns that it exists', async () => {
  const { device, list } = await openBrowser()
  const outcomes = await Promise.allSettled([createHidden(device), createHidden(device)])
  // Either tab may be first.
  expect(outcomes.toSorted((a, b) => (a.status < b.status ? -1 : 1))).toMatchObject([
    { status: 'fulfilled', value: { wallet: { here: true, backup: { state: 'none' } } } },
    { status: 'rejected', reason: { code: 'wallet_exists' } },
  ])
  expect(device.agreed).toEqual([])
  expect(await device.kept()).toHaveLength(1)
  expect(await list()).toMatchObject({ here: true })
})

it('a wallet that is created without a window has the phrase that the first window shows', async () => {
  const disk = newDisk()
  const device = await openDevice(getWorld(), await getWorld().user(), disk)
  await createHidden(device)
  const [{ user } = { user: '' }] = await device.kept()
  expect(await disk.database.run('readonly', ({ phrases }) => phrases.count(user))).toBe(1)
  const [first, second] = [await device.store.phrase(user), await device.store.phrase(user)]
  expect([first.isNew, second.isNew]).toEqual([true, false])
  expect(second.bytes).toEqual(first.bytes)
})

it('a tab continues the creation of a killed tab, and does not begin another one', async () => {
  const { device } = await openBrowser()
  await expect(withLie(device, killed, () => createHidden(device))).rejects.toMatchObject({ code: 'internal_error' })
  const [stored] = await device.kept()
  const paths: string[] = []
  const continuing = withLie(
    device,
    path => {
      paths.push(path)
      return undefined
    },
    () => createHidden(device),
  )
  const { wallet } = await continuing
  expect(wallet).toMatchObject({ accountAddress: stored?.address, thresholdSignatureScheme: 'TWO_OF_TWO', here: true })
  expect(paths.filter(path => path.endsWith('/begin'))).toEqual([])
  await useWallet(device, wallet.accountAddress).signs()
})

it('a creation whose last response was lost is found by the next sign-in', async () => {
  const { device, list } = await openBrowser()
  await expect(withLie(device, unanswered, () => createHidden(device))).rejects.toThrow()
  const { wallet } = await createHidden(device)
  expect(await list()).toMatchObject({ accountAddress: wallet.accountAddress, here: true })
  await expect(createHidden(device)).rejects.toMatchObject({ code: 'wallet_exists' })
})

it('a creation with a backup is continued in the window only, and no other one begins in the background', async () => {
  const { device, list } = await openBrowser()
  await expect(withLie(device, killed, () => createVisible(device))).rejects.toThrow()
  const [stored] = await device.kept()
  await expect(createHidden(device)).rejects.toMatchObject({ code: 'idempotency_key_reused' })
  const { wallet } = await createVisible(device)
  expect(wallet).toMatchObject({ accountAddress: stored?.address, thresholdSignatureScheme: 'TWO_OF_THREE' })
  expect(await list()).toMatchObject({ accountAddress: stored?.address, here: true })
})

it.each([
  ['in the background', createHidden],
  ['with a backup', createVisible],
] as const)(
  'a second device that signs in during a creation %s gets the wallet, and the first device is told',
  async (_, create) => {
    const first = await openBrowser()
    const second = await openBrowser(first.user)
    const late = withLie(
      first.device,
      (path, send) =>
        path.endsWith('/finish')
          ? createHidden(second.device).then(
              () => send(),
              () => send(),
            )
          : undefined,
      () => create(first.device),
    )
    await expect(late).rejects.toMatchObject({ code: 'wallet_exists' })
    const wallet = await second.list()
    expect(wallet).toMatchObject({ here: true })
    expect(await first.list()).toMatchObject({ accountAddress: wallet?.accountAddress, here: false })
    expect(await first.device.send('getWallets', {})).toHaveLength(1)
    await useWallet(second.device, wallet?.accountAddress ?? '').signs()
  },
)

it('a relay that is away during a creation ends it with an error, and the next try succeeds', async () => {
  const { device, list } = await openBrowser()
  const away = () => Promise.reject(new TypeError('fetch failed'))
  for (const step of ['/begin', '/open', '/finish']) {
    const lie = (path: string) => (path.endsWith(step) ? away() : undefined)
    await expect(withLie(device, lie, () => createHidden(device))).rejects.toMatchObject({
      code: 'frame_relay_unreachable',
    })
  }
  await createHidden(device)
  expect(await list()).toMatchObject({ here: true })
  expect(await getWorld().r1.sweep()).toBeUndefined()
  expect(await device.send('getWallets', {})).toHaveLength(1)
})

it('a creation that R1 has dropped fails once in a browser whose clock is a day behind, and the next one succeeds', async () => {
  const { device, list } = await openBrowser()
  device.skewMs = -86_400_000
  await expect(withLie(device, killed, () => createHidden(device))).rejects.toThrow()
  const { clock, sweep } = getWorld().r1
  clock.advance(31 * 60_000)
  await sweep()
  clock.reset()
  await expect(createHidden(device)).rejects.toMatchObject({ code: 'ceremony_not_found' })
  const { wallet } = await createHidden(device)
  expect(await list()).toMatchObject({ accountAddress: wallet.accountAddress, here: true })
  await useWallet(device, wallet.accountAddress).signs()
})
