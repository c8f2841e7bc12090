/** Tests a hostile script in the host's page: it calls each operation, hides the frame's questions, and clicks. */
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { createHostStorage } from './host-storage.js'
import { beginInside } from './recover.js'
import {
  attempt,
  attemptSign,
  CODE,
  call,
  clickUnseen,
  enrolTotp,
  enter,
  FILE,
  getTransfer,
  isSignature,
  type Outcome,
  open,
  press,
  readWallet,
  sign,
} from './user.js'
import { getFrame, setUpWorld } from './world.js'
import { LISTED_SERVER } from './world-services.js'

const world = setUpWorld()

/** Secret with which the script would open a backup; at the service it has to be a recovery code. */
const OWN = 'chosen by the script'
// Backups to the script's own functions, and to the service, from which the script's token can get the backup.
const MINE = { provider: 'external', password: OWN } as const
const SERVICE = { provider: 'dynamic', password: CODE } as const
const POLICY = { programs: [{ programId: '11111111111111111111111111111111' }], messages: true }
const DELEGATE = {
  delegatePublicKey: new Uint8Array(Buffer.from(LISTED_SERVER.sealingKey, 'base64url')),
  delegateName: LISTED_SERVER.name,
  policy: POLICY,
}

interface Attack {
  /** Label of the button that would confirm. */
  readonly button: string
  /** False: the operation prompts only a user with a second factor. Default: true. */
  readonly always?: boolean
  readonly call: (page: Page, address: string) => Promise<Outcome>
}
const ATTACKS: Readonly<Record<string, Attack>> = {
  signRawMessage: {
    button: 'Sign',
    call: (page, address) => attemptSign(page, address, '0a'.repeat(32), 'signRawMessage'),
  },
  signMessage: { button: 'Sign', call: (page, address) => attemptSign(page, address, 'I owe you') },
  signTransaction: {
    button: 'Sign',
    call: (page, address) =>
      attemptSign(page, address, getTransfer(address, { lamports: 9_000_000_000 }), 'signTransaction'),
  },
  refresh: { button: 'Confirm', call: (page, address) => attempt(page, 'refresh', address, { backup: MINE }) },
  'refresh to the service': {
    button: 'Confirm',
    call: (page, address) => attempt(page, 'refresh', address, { backup: SERVICE }),
  },
  reshare: {
    button: 'Confirm',
    call: (page, address) => attempt(page, 'reshare', address, { to: 'THREE_OF_FIVE', backup: MINE }),
  },
  backup: {
    button: 'Confirm',
    always: false,
    call: (page, address) => attempt(page, 'backup', address, { backup: SERVICE }),
  },
  addDevice: { button: 'Add', call: (page, address) => attempt(page, 'addDevice', address) },
  restore: {
    button: 'Restore',
    call: (page, address) => beginInside(page, 'restoreBackup', address, { backup: MINE, mode: 'add-device' }),
  },
  exportPrivateKey: {
    button: 'Export the key',
    call: (page, address) => beginInside(page, 'exportPrivateKey', address),
  },
  exportClientKeyshares: {
    button: 'Make the copy',
    call: (page, address) => attempt(page, 'exportClientKeyshares', address, { password: OWN }),
  },
  setPassword: {
    button: 'Set it',
    call: (page, address) => attempt(page, 'setPassword', address, { newPassword: OWN }),
  },
  setPolicy: { button: 'Change', call: (page, address) => attempt(page, 'setPolicy', address, POLICY) },
  revokeSet: { button: 'Revoke', call: (page, address) => attempt(page, 'revokeSet', address, crypto.randomUUID()) },
  delegate: { button: 'Allow', call: (page, address) => attempt(page, 'delegateKeyShares', address, DELEGATE) },
}

/** Creates a wallet with its backup in the page's storage, while the script's own browser waits to join. */
async function openAttacked() {
  const storage = createHostStorage()
  const { page, user } = await enter(world, undefined, await world.visit(undefined, 'app', storage.keep))
  const { wallet } = await call(page, 'createWallet', { scheme: 'TWO_OF_THREE', backup: FILE })
  const address = wallet.accountAddress
  expect(storage.calls).toEqual(['save 0', 'load 0'])
  const { page: newDevicePage } = await enter(world, user)
  await call(newDevicePage, 'wallets')
  attempt(newDevicePage, 'addDevice', address) // ends with the test
  await (await getFrame(newDevicePage, 'visible')).locator('pre.code').waitFor()
  await page.bringToFront()
  await call(page, 'wallets')
  return { page, address, storage }
}

/** Calls each operation while the page hides the window, and clicks where the user would agree. */
async function attack(page: Page, address: string, hasFactor: boolean): Promise<void> {
  const style = await page.addStyleTag({ content: 'dialog, iframe { opacity: 0 !important }' })
  for (const [name, { button, always = true, call }] of Object.entries(ATTACKS)) {
    if (!always && !hasFactor) continue
    const calling = call(page, address)
    const frame = await getFrame(page, 'visible')
    await frame.getByText('Something covers this window.').waitFor()
    const confirm = frame.getByRole('button', { name: button, exact: true })
    expect(await confirm.isDisabled(), name).toBe(true)
    // Nothing happens even if a click reaches the frame, with a code in the field.
    if (hasFactor && name !== 'setPassword' && name !== 'revokeSet') await frame.getByLabel('Code').fill('123456')
    await confirm.evaluate((element: HTMLButtonElement) => element.click())
    await frame.getByRole('heading', { level: 1 }).waitFor()
    await clickUnseen(frame.getByRole('button', { name: 'Cancel', exact: true }))
    expect((await calling).code, name).toBe('user_rejected')
  }
  // Opening a backup requires its password or recovery code.
  if (!hasFactor) {
    const backing = ATTACKS.backup?.call(page, address)
    const frame = await getFrame(page, 'visible')
    await frame.getByLabel('Password or recovery code').fill(OWN)
    await clickUnseen(frame.getByRole('button', { name: 'Continue', exact: true }))
    await frame.getByRole('alert').filter({ hasText: 'Wrong password' }).waitFor()
    await clickUnseen(frame.getByRole('button', { name: 'Cancel', exact: true }))
    expect((await backing)?.code).toBe('user_rejected')
  }
  await style.evaluate(element => element.parentNode?.removeChild(element))
}

it('a hostile page cannot act for a user without or with a second factor: hidden clicks do not count, and no secret reaches the page', async () => {
  const { page, address, storage } = await openAttacked()
  const done: string[] = []
  page.on('response', response => {
    const { pathname } = new URL(response.url())
    if (pathname.includes('/wallets/') && response.ok()) done.push(pathname.split('/').slice(-2).join('/'))
  })
  await attack(page, address, false)
  const secret = await enrolTotp(page)
  world.advanceRelays(11_000)
  await attack(page, address, true)
  // The relay did none of this, and the page got no backup.
  expect(done.filter(path => /\/(sign|begin|commit|export|permit|policy|revoke)$/.test(path))).toEqual([])
  expect(storage.calls.filter(call => call.startsWith('save'))).toEqual(['save 0'])
  const wallet = await readWallet(page)
  expect(wallet).toMatchObject({ epoch: 0, thresholdSignatureScheme: 'TWO_OF_THREE', exported: false })
  expect(wallet?.policy).toBeUndefined()
  expect(wallet?.sets).toHaveLength(1)
  expect(await call(page, 'isPasswordEncrypted', address)).toBe(false)
  // The user signs what the user sees.
  const signing = sign(page, address, 'mine')
  const frame = await getFrame(page, 'visible')
  await frame.getByLabel('Code').fill(world.nextTotp(secret))
  await press(frame.getByRole('button', { name: 'Sign' }))
  expect(isSignature(address, 'mine', await signing)).toBe(true)
}, 240_000)

it('refuses IDs with path characters before a request reaches the relay', async () => {
  const { page, address } = await open(world)
  world.requests.length = 0
  for (const id of ['../../other', 'a/b', '..', 'x?y', '%2e%2e'])
    expect((await attempt(page, 'revokeSet', address, id)).code).toBe('record_invalid')
  expect(world.requests).toEqual([])
})
