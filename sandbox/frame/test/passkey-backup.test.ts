/** Tests `dynamic` backups under the frame's own passkey (WebAuthn PRF extension) instead of a recovery code. */
import { addAuthenticator } from '@keybay/sandbox-tools/testing/virtual-authenticator'
import { readBackupHeader } from '@keybay/waas/mpc'
import type { Frame, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { createHostStorage } from './host-storage.js'
import { agreeToRestore, beginRestore } from './recover.js'
import {
  agree,
  attempt,
  call,
  enter,
  expectSigns,
  FILE,
  letPageOpen,
  openTestBackup,
  password,
  press,
  readWallet,
  takeCode,
} from './user.js'
import { getFrame, setUpWorld } from './world.js'

const world = setUpWorld()
const backup = { provider: 'dynamic', passkey: true } as const

function create(page: Page) {
  return call(page, 'createWallet', { scheme: 'TWO_OF_THREE', backup })
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
  const envelopes: Uint8Array[] = []
  page.on('request', request => {
    if (request.method() !== 'POST' || !/\/backups\//.test(request.url())) return
    const { envelope }: { readonly envelope: string } = request.postDataJSON()
    envelopes.push(new Uint8Array(Buffer.from(envelope, 'base64url')))
  })
  return envelopes
}

it('[S1.12] a passkey seals the service backup, opens it after a refresh, and restores the wallet after a data wipe', async () => {
  const storage = createHostStorage()
  const { page, user } = await enter(world, undefined, await world.visit(undefined, 'app', storage.keep))
  const authenticator = await addAuthenticator(page)
  const envelopes = getEnvelopes(page)
  const making = create(page)
  const frame = await getFrame(page, 'visible')
  await frame.getByRole('heading', { name: 'Back up with a passkey' }).waitFor()
  await agree(page, 'Back up')
  const made = await making
  const address = made.wallet.accountAddress
  expect(made).toMatchObject({ backup: { provider: 'dynamic', epoch: 0 } })
  expect(await authenticator.hosts()).toEqual(['wallet.localhost'])
  expect((await readWallet(page))?.backup).toMatchObject({ state: 'current', providers: ['dynamic'] })

  // The next backup uses the same passkey.
  const refreshing = attempt(page, 'refresh', address, { backup, password })
  const next = await getFrame(page, 'visible')
  await press(next.getByText('Other ways'))
  await press(next.getByLabel('I have a passkey for my backups already'))
  await agree(page, 'Back up')
  expect(await refreshing).toMatchObject({ value: { wallet: { epoch: 1, backup: { state: 'current' } } } })
  const [id = ''] = await authenticator.ids()
  const credentialId = Buffer.from(id, 'base64').toString('base64url')
  const headers = envelopes.map(readBackupHeader)
  for (const { version, kdf } of headers)
    expect({ version, kdf }).toMatchObject({
      version: 2,
      kdf: { name: 'webauthn-prf', rpId: 'wallet.localhost', credentialId },
    })
  expect(headers.map(({ set }) => set.epoch)).toEqual([0, 1])

  await wipe(page)
  await world.signIn(page, user)
  expect(await readWallet(page)).toMatchObject({ here: false, accountAddress: address })
  const restoring = beginRestore(page, address, 'replace-device', { provider: 'dynamic' })
  const third = await agreeToRestore(page, 'replace-device')
  await third.getByRole('heading', { name: 'Open the backup with your passkey' }).waitFor()
  await agree(page, 'Use the passkey')
  expect(await restoring).toMatchObject({ value: { accountAddress: address, here: true, epoch: 2 } })
  await expectSigns(page, address)
  expect(await authenticator.ids()).toHaveLength(1)
  const verifying = attempt(page, 'verifyBackup', address, { backup })
  await agree(page, 'Use the passkey')
  expect(await verifying).toMatchObject({ value: { provider: 'dynamic', epoch: 2 } })

  // A copy elsewhere is sealed under a password, because a passkey would tie it to the frame's domain.
  const copying = attempt(page, 'backup', address, { backup: FILE })
  await agree(page, 'Use the passkey')
  await letPageOpen(page)
  expect(await copying).toMatchObject({ value: { provider: 'external', epoch: 2 } })
  const { header } = await openTestBackup(storage.envelopes.get(2), password)
  expect(header).toMatchObject({ version: 1, address })

  // Another device: first without that passkey, then with a passkey of the same name.
  const { page: thief } = await enter(world, user)
  await readWallet(thief)
  const other = await addAuthenticator(thief)
  const stealing = beginRestore(thief, address, 'add-device', { provider: 'dynamic' })
  const question = await agreeToRestore(thief, 'add-device')
  const usePasskey = () => press(question.getByRole('button', { name: 'Use the passkey' }))
  await usePasskey()
  await question.getByRole('alert').getByText('The passkey was not used').waitFor()
  await other.forge(id, 'wallet.localhost')
  await usePasskey()
  const wrong = question.getByRole('alert').getByText('This passkey does not open the backup')
  await wrong.waitFor()
  // Simulates an authenticator that returns another secret.
  await question.evaluate(() => {
    const first = crypto.getRandomValues(new Uint8Array(32))
    PublicKeyCredential.prototype.getClientExtensionResults = () => ({ prf: { results: { first } } })
  })
  await wrong.evaluate(alert => alert.replaceChildren())
  await usePasskey()
  await wrong.waitFor()
  await press(question.getByRole('button', { name: 'Cancel' }))
  expect(await stealing).toMatchObject({ code: 'user_rejected' })
  expect(await readWallet(thief)).toMatchObject({ here: false, epoch: 2 })
}, 240_000)

it('a backup without a place takes one click, after which a wallet of two shares has three and a passkey opens the backup', async () => {
  const { page } = await enter(world)
  await addAuthenticator(page)
  const address = (await call(page, 'createWallet', { scheme: 'TWO_OF_TWO' })).wallet.accountAddress
  const envelopes = getEnvelopes(page)
  const backingUp = attempt(page, 'backup', address)
  await agree(page, 'Back up')
  expect(await backingUp).toMatchObject({ value: { provider: 'dynamic', epoch: 1 } })
  expect(envelopes.map(envelope => readBackupHeader(envelope).kdf.name)).toEqual(['webauthn-prf'])
  expect(await readWallet(page)).toMatchObject({
    thresholdSignatureScheme: 'TWO_OF_THREE',
    backup: { state: 'current', providers: ['dynamic'] },
  })
  await expectSigns(page, address)
}, 240_000)

it('shows a recovery code at once where the browser has no passkeys, and copies it', async () => {
  const { page } = await enter(world)
  const address = (await call(page, 'createWallet', { scheme: 'TWO_OF_TWO' })).wallet.accountAddress
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.context().addInitScript(() => Reflect.deleteProperty(globalThis, 'PublicKeyCredential'))
  const backingUp = attempt(page, 'backup', address)
  const frame = await getFrame(page, 'visible')
  await press(frame.getByRole('button', { name: 'Copy' }))
  await frame.getByText('Copied.').waitFor()
  const code = await takeCode(frame)
  expect(await backingUp).toMatchObject({ value: { provider: 'dynamic', epoch: 1 } })
  expect(await readWallet(page)).toMatchObject({ thresholdSignatureScheme: 'TWO_OF_THREE' })
  const verifying = attempt(page, 'verifyBackup', address, { backup: { provider: 'dynamic', password: code } })
  expect(await verifying).toMatchObject({ value: { epoch: 1 } })
}, 240_000)

it('gives a recovery code, and says why, to a user whose passkey cannot lock a backup', async () => {
  const { page } = await enter(world)
  await addAuthenticator(page, { hasPrf: false })
  const envelopes = getEnvelopes(page)
  const making = create(page)
  const frame = await agree(page, 'Back up')
  await frame.getByText('can’t lock a backup').waitFor()
  expect(envelopes).toEqual([])
  await takeCode(frame)
  expect(await making).toMatchObject({ backup: { provider: 'dynamic', epoch: 0 } })
  expect(envelopes.map(envelope => readBackupHeader(envelope).kdf.name)).toEqual(['argon2id'])
}, 240_000)
