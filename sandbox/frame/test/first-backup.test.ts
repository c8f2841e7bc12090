/** Tests the first backup of a wallet that a sign-in created: interrupted, in two tabs, and what stays in the browser. */
import { addAuthenticator } from '@keybay/sandbox-tools/testing/virtual-authenticator'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { everythingStored } from './overheard.js'
import {
  agree,
  attempt,
  call,
  enter,
  expectSigns,
  openTestBackup,
  press,
  readWallet,
  reload,
  takeCode,
} from './user.js'
import { getFrame, setUpWorld } from './world.js'

const world = setUpWorld()

/** Signs a new user in, whose browser has a wallet of two shares. */
async function enterWithWallet(page?: Page) {
  const entered = await enter(world, undefined, page)
  const { wallet } = await call(entered.page, 'createWallet', { scheme: 'TWO_OF_TWO' })
  return { ...entered, address: wallet.accountAddress }
}

/** Returns the envelopes that pages sent to the product API, newest last. */
function getEnvelopes(page: Page): Buffer[] {
  const envelopes: Buffer[] = []
  page.on('request', request => {
    if (request.method() !== 'POST' || !/\/backups\//.test(request.url())) return
    const { envelope }: { readonly envelope: string } = request.postDataJSON()
    envelopes.push(Buffer.from(envelope, 'base64url'))
  })
  return envelopes
}

/** Backs up in one step, in a browser without passkeys. */
async function backUpByCode(page: Page, address: string) {
  const backingUp = attempt(page, 'backup', address)
  return { code: await takeCode(await getFrame(page, 'visible')), outcome: await backingUp }
}

async function getStored(page: Page): Promise<string> {
  return (await everythingStored(await getFrame(page, 'hidden'))).join('\n')
}

it.each([
  ['the storage of backups is away', '**/backups/**', 'frame_backup_unreachable'],
  ['the relay is away at the last step', '**/reshare/commit', 'frame_relay_unreachable'],
])(
  'an interrupted first backup, because %s, leaves a wallet that signs, continues after a reload, and keeps one share',
  async (_, path, error) => {
    const { page, address } = await enterWithWallet()
    await page.context().addInitScript(() => Reflect.deleteProperty(globalThis, 'PublicKeyCredential'))
    const envelopes = getEnvelopes(page)
    await page.context().route(path, route => route.abort())
    const { code, outcome } = await backUpByCode(page, address)
    expect(outcome.code).toBe(error)
    await page.context().unroute(path)
    expect(await readWallet(page)).toMatchObject({ thresholdSignatureScheme: 'TWO_OF_TWO', epoch: 0 })
    await expectSigns(page, address)
    await reload(page)
    const again = attempt(page, 'backup', address)
    const frame = await getFrame(page, 'visible')
    await frame.getByLabel(/recovery code/).fill(code)
    await press(frame.getByRole('button', { name: 'Continue' }))
    expect(await again).toMatchObject({ value: { provider: 'dynamic', epoch: 1 } })
    expect(await readWallet(page)).toMatchObject({ thresholdSignatureScheme: 'TWO_OF_THREE', epoch: 1 })
    await expectSigns(page, address)
    const envelope = envelopes.at(-1) ?? Buffer.of()
    const [share] = (await openTestBackup(envelope, code)).shares
    const stored = await getStored(page)
    expect(stored).toContain(address)
    for (const bytes of [envelope, Buffer.from(share?.secret ?? [])]) {
      expect(bytes.length).toBeGreaterThan(31)
      expect(stored).not.toContain(bytes.toString('hex'))
    }
  },
  120_000,
)

it('a first backup in two tabs at once makes one backup, and both tabs sign', async () => {
  const context = await world.newContext()
  const { page, address } = await enterWithWallet(await world.visit(context))
  const other = await world.visit(context)
  await addAuthenticator(page)
  await addAuthenticator(other)
  const late = attempt(other, 'backup', address)
  await (await getFrame(other, 'visible')).getByRole('heading', { name: 'Back up with a passkey' }).waitFor()
  await page.bringToFront()
  const first = attempt(page, 'backup', address)
  await agree(page, 'Back up')
  expect(await first).toMatchObject({ value: { provider: 'dynamic', epoch: 1 } })
  await other.bringToFront()
  await agree(other, 'Back up')
  expect(await late).toMatchObject({ value: { provider: 'dynamic', epoch: 1 } })
  expect(await readWallet(other)).toMatchObject({
    thresholdSignatureScheme: 'TWO_OF_THREE',
    epoch: 1,
    backup: { state: 'current', providers: ['dynamic'] },
  })
  await expectSigns(other, address)
  await page.bringToFront()
  await expectSigns(page, address)
}, 120_000)
