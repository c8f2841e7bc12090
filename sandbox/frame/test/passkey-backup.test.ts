/** Tests `dynamic` backups under the frame's own passkey (WebAuthn PRF extension) instead of a recovery code. */

import { addAuthenticator } from '@keybay/sandbox-tools/testing/virtual-authenticator'
import { readBackupHeader } from '@keybay/waas/mpc'
import type { Frame, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { openTestBackup } from './argon2.js'
import { hostStorage } from './keeper.js'
import { isSignature, letPageOpen, password, press, sign } from './person.js'
import { agreeToRestore, beginRestore, getWallet } from './restore.js'
import { takeCode } from './secrets.js'
import { getFrame, setUpWorld } from './world.js'

const world = setUpWorld()

const backup = { provider: 'dynamic', passkey: true } as const
/** Starts an operation and returns its outcome. */
function begin(page: Page, what: 'refresh' | 'verifyBackup', address: string) {
  return page.evaluate(
    ([what, address, backup, password]) =>
      window.host.outcome(window.host.keybay.waas[what](address, { backup, password })),
    [what, address, backup, password] as const,
  )
}

function create(page: Page) {
  return page.evaluate(backup => window.host.keybay.waas.createWallet({ scheme: 'TWO_OF_THREE', backup }), backup)
}
/** Clears all that the browser stores for every site, as a user can. */
async function wipe(page: Page): Promise<void> {
  const address = page.url()
  const getKey = async (target: Page | Frame): Promise<string> => {
    // A frame of another site is a separate target; its storage is keyed by both sites.
    const session = await page.context().newCDPSession(target)
    const { frameTree } = await session.send('Page.getFrameTree')
    return (await session.send('Storage.getStorageKeyForFrame', { frameId: frameTree.frame.id })).storageKey
  }
  const keys = [await getKey(page), await getKey(await getFrame(page, 'hidden'))]
  await page.goto('about:blank')
  const session = await page.context().newCDPSession(page)
  for (const storageKey of keys)
    await session.send('Storage.clearDataForStorageKey', { storageKey, storageTypes: 'all' })
  await page.context().clearCookies()
  await page.goto(address)
  await page.waitForFunction(() => 'host' in window)
}
/** Returns the envelopes that the product API received. */
function getEnvelopes(page: Page): Uint8Array[] {
  const found: Uint8Array[] = []
  page.on('request', request => {
    if (request.method() !== 'POST' || !/\/backups\//.test(request.url())) return
    const { envelope }: { readonly envelope: string } = request.postDataJSON()
    found.push(new Uint8Array(Buffer.from(envelope, 'base64url')))
  })
  return found
}

it('[S1.12] a passkey seals the service backup, opens it after a refresh, and restores the wallet after a data wipe', async () => {
  const { keep, kept } = hostStorage()
  const page = await world.visit(undefined, 'app', keep)
  const person = await world.signIn(page)
  const authenticator = await addAuthenticator(page)
  const envelopes = getEnvelopes(page)
  const making = create(page)
  const frame = await getFrame(page, 'visible')
  await frame.getByRole('heading', { name: 'Lock the backup with a passkey' }).waitFor()
  await press(frame.getByRole('button', { name: 'Continue' }))
  const made = await making
  const address = made.wallet.accountAddress
  expect(made).toMatchObject({ backup: { provider: 'dynamic', epoch: 0 } })
  expect(await authenticator.hosts()).toEqual(['wallet.localhost'])
  expect((await getWallet(page))?.backup).toMatchObject({ state: 'current', providers: ['dynamic'] })

  // The next backup uses the same passkey.
  const refreshing = begin(page, 'refresh', address)
  const second = await getFrame(page, 'visible')
  await second.getByLabel('I have a passkey for my backups already').check()
  await press(second.getByRole('button', { name: 'Continue' }))
  expect(await refreshing).toMatchObject({ value: { wallet: { epoch: 1, backup: { state: 'current' } } } })
  const [id] = await authenticator.ids()
  const headers = envelopes.map(readBackupHeader)
  for (const { version, kdf } of headers)
    expect({ version, kdf }).toMatchObject({
      version: 2,
      kdf: {
        name: 'webauthn-prf',
        rpId: 'wallet.localhost',
        credentialId: Buffer.from(id ?? '', 'base64').toString('base64url'),
      },
    })
  expect(headers.map(({ set }) => set.epoch)).toEqual([0, 1])

  await wipe(page)
  await world.signIn(page, person)
  expect(await getWallet(page)).toMatchObject({ here: false, accountAddress: address })
  const restoring = beginRestore(page, address, 'replace-device', { provider: 'dynamic' })
  const third = await agreeToRestore(page, 'replace-device')
  await third.getByRole('heading', { name: 'Open the backup with your passkey' }).waitFor()
  await press(third.getByRole('button', { name: 'Use the passkey' }))
  expect(await restoring).toMatchObject({ value: { accountAddress: address, here: true, epoch: 2 } })
  expect(isSignature(address, 'by a passkey', await sign(page, address, 'by a passkey'))).toBe(true)
  expect(await authenticator.ids()).toHaveLength(1)
  const verifying = begin(page, 'verifyBackup', address)
  await press((await getFrame(page, 'visible')).getByRole('button', { name: 'Use the passkey' }))
  expect(await verifying).toMatchObject({ value: { provider: 'dynamic', epoch: 2 } })

  // A copy elsewhere is sealed under a password, because a passkey would tie it to the frame's domain.
  const copying = page.evaluate(
    ([address, password]) =>
      window.host.outcome(window.host.keybay.waas.backup(address, { backup: { provider: 'external', password } })),
    [address, password] as const,
  )
  await press((await getFrame(page, 'visible')).getByRole('button', { name: 'Use the passkey' }))
  await letPageOpen(page)
  expect(await copying).toMatchObject({ value: { provider: 'external', epoch: 2 } })
  expect((await openTestBackup(kept.get(2) ?? new Uint8Array(), password)).header).toMatchObject({
    version: 1,
    address,
  })

  // Another device: first without that passkey, then with a passkey of the same name.
  const thief = await world.visit(await world.newContext())
  await world.signIn(thief, person)
  await getWallet(thief)
  const other = await addAuthenticator(thief)
  const stealing = beginRestore(thief, address, 'add-device', { provider: 'dynamic' })
  const asked = await agreeToRestore(thief, 'add-device')
  await asked.getByRole('button', { name: 'Use the passkey' }).click()
  await asked.getByRole('alert').getByText('The passkey was not used').waitFor()
  await other.forge(id ?? '', 'wallet.localhost')
  await asked.getByRole('button', { name: 'Use the passkey' }).click()
  const wrong = asked.getByRole('alert').getByText('This passkey does not open the backup')
  await wrong.waitFor()
  // Simulates an authenticator that returns another secret.
  await asked.evaluate(() => {
    const first = crypto.getRandomValues(new Uint8Array(32))
    PublicKeyCredential.prototype.getClientExtensionResults = () => ({ prf: { results: { first } } })
  })
  await wrong.evaluate(alert => alert.replaceChildren())
  await asked.getByRole('button', { name: 'Use the passkey' }).click()
  await wrong.waitFor()
  await press(asked.getByRole('button', { name: 'Cancel' }))
  expect(await stealing).toMatchObject({ code: 'user_rejected' })
  expect(await getWallet(thief)).toMatchObject({ here: false, epoch: 2 })
}, 240_000)

it('reports a device whose passkeys cannot lock a backup, and accepts a recovery code instead', async () => {
  const page = await world.visit()
  await world.signIn(page)
  await addAuthenticator(page, { hasPrf: false })
  const envelopes = getEnvelopes(page)
  const making = create(page)
  const frame = await getFrame(page, 'visible')
  await press(frame.getByRole('button', { name: 'Continue' }))
  await frame.getByRole('alert').getByText('can’t lock a backup').waitFor()
  expect(envelopes).toEqual([])
  await frame.getByLabel('Make a recovery code for me instead').check()
  await press(frame.getByRole('button', { name: 'Continue' }))
  await takeCode(frame)
  expect(await making).toMatchObject({ backup: { provider: 'dynamic', epoch: 0 } })
  expect(envelopes.map(envelope => readBackupHeader(envelope).kdf.name)).toEqual(['argon2id'])
}, 240_000)
