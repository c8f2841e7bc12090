/**
 * Tests a hostile script in the host's page with all that the page has: the script calls each operation, hides the
 * frame's questions, and clicks.
 */
import { createDelegateKeys, listingOf } from '@keybay/waas/delegate'
import { Keypair, PublicKey, SystemProgram, Transaction } from '@solana/web3.js'
import type { Frame, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { addDevice } from './join.js'
import { hostStorage } from './keeper.js'
import { create, enrolTotp, isSignature, password, press, sign } from './person.js'
import type { Outcome } from './restore.js'
import { CODE } from './secrets.js'
import { getFrame, setUpWorld } from './world.js'

/** The attacker's own server, which the operator lists. */
const listing = listingOf('Lottery', await createDelegateKeys())
const world = setUpWorld({ delegates: [listing] })

/** Secret with which the script would open a backup; at the service it has to be a recovery code. */
const OWN = 'chosen by the script'

/** Calls an operation by name, as the script in the page does. */
function call(page: Page, name: string, address: string, transaction: string): Promise<Outcome> {
  return page.evaluate(
    ([name, address, transaction, server, delegateName, password, code]) => {
      const { outcome, keybay, getAccount, signMessage, signTransaction } = window.host
      const all = { programs: [{ programId: '11111111111111111111111111111111' }], messages: true }
      const { waas } = keybay
      // Backups to the script's own functions, and to the service, from which the script's token can get the backup.
      const [mine, service] = [
        { provider: 'external', password } as const,
        { provider: 'dynamic', password: code } as const,
      ]
      const displayContainer = document.createElement('div')
      displayContainer.style.cssText = 'width:420px;height:640px'
      document.body.append(displayContainer)
      const calls: Readonly<Record<string, () => Promise<unknown>>> = {
        signMessage: () => signMessage(address, 'I owe you everything'),
        signTransaction: () => signTransaction(address, transaction),
        async signRawMessage() {
          const { features } = keybay.connectors.get('waas').wallet
          const account = await getAccount(address)
          return features['keybay:signRawMessage'].signRawMessage({ account, message: '0a'.repeat(32) })
        },
        refresh: () => waas.refresh(address, { backup: mine }),
        'refresh to the service': () => waas.refresh(address, { backup: service }),
        reshare: () => waas.reshare(address, { to: 'THREE_OF_FIVE', backup: mine }),
        backup: () => waas.backup(address, { backup: service }),
        addDevice: () => waas.addDevice(address),
        restore: () => waas.restoreBackup(address, { displayContainer, backup: mine, mode: 'add-device' }),
        exportPrivateKey: () => waas.exportPrivateKey(address, { displayContainer }),
        exportClientKeyshares: () => waas.exportClientKeyshares(address, { password }),
        setPassword: () => waas.setPassword(address, { newPassword: password }),
        setPolicy: () => waas.setPolicy(address, all),
        revokeSet: () => waas.revokeSet(address, crypto.randomUUID()),
        delegate: () =>
          waas.delegateKeyShares(address, { delegatePublicKey: Uint8Array.from(server), delegateName, policy: all }),
      }
      const calling = calls[name]?.() ?? Promise.reject(new Error('no such call'))
      return outcome(calling).finally(() => displayContainer.remove())
    },
    [name, address, transaction, [...Buffer.from(listing.sealingKey, 'base64url')], listing.name, OWN, CODE] as const,
  )
}

/** Clicks a button in the frame, however faint the frame is. */
function clickUnseen(frame: Frame, name: string): Promise<void> {
  return frame
    .getByRole('button', { name, exact: true })
    .evaluate((element: HTMLButtonElement) => void setTimeout(() => element.click()))
}

/** Button of each question. */
const ASKED: Readonly<Record<string, string>> = {
  signTransaction: 'Sign',
  refresh: 'Confirm',
  'refresh to the service': 'Confirm',
  reshare: 'Confirm',
  addDevice: 'Add',
  restore: 'Restore',
  exportPrivateKey: 'Export the key',
  exportClientKeyshares: 'Make the copy',
  setPassword: 'Set it',
  setPolicy: 'Change',
  revokeSet: 'Revoke',
  delegate: 'Allow',
}
/** These operations prompt too if the user has a second factor. */
const ASKED_WITH_FACTOR = { ...ASKED, signMessage: 'Sign', backup: 'Confirm' }

it.each<readonly [who: string, asked: Readonly<Record<string, string>>]>([
  ['no second factor', ASKED],
  ['a second factor', ASKED_WITH_FACTOR],
])(
  'a hostile page cannot act for a user with %s: hidden clicks do not count, and no secret reaches the page',
  async (_, asked) => {
    const { keep, asked: kept } = hostStorage()
    const page = await world.visit(undefined, 'app', keep)
    const person = await world.signIn(page)
    const made = await page.evaluate(
      password =>
        window.host.keybay.waas.createWallet({ scheme: 'TWO_OF_THREE', backup: { provider: 'external', password } }),
      password,
    )
    const address = made.wallet.accountAddress
    expect(kept).toEqual(['save 0', 'load 0'])
    // The script's own browser, which waits to join.
    const theirs = await world.visit(await world.newContext())
    await world.signIn(theirs, person)
    await theirs.evaluate(() => window.host.keybay.waas.wallets())
    addDevice(theirs, address).catch(() => {}) // ends with the test
    await (await getFrame(theirs, 'visible')).locator('pre.code').waitFor()
    await page.bringToFront()
    await page.evaluate(() => window.host.keybay.waas.wallets())
    const secret = asked === ASKED_WITH_FACTOR ? await enrolTotp(page) : undefined
    world.advanceRelays(11_000)
    const done: string[] = []
    page.on('response', response => {
      const { pathname } = new URL(response.url())
      if (pathname.includes('/wallets/') && response.ok()) done.push(pathname.split('/').slice(-2).join('/'))
    })
    const style = await page.addStyleTag({ content: 'dialog, iframe { opacity: 0 !important }' })
    const from = new PublicKey(address)
    const transaction = new Transaction({ feePayer: from, recentBlockhash: '11111111111111111111111111111111' })
      .add(
        SystemProgram.transfer({ fromPubkey: from, toPubkey: Keypair.generate().publicKey, lamports: 9_000_000_000 }),
      )
      .serialize({ requireAllSignatures: false })
      .toString('base64')
    for (const [name, button] of Object.entries(asked)) {
      const calling = call(page, name, address, transaction)
      const frame = await getFrame(page, 'visible')
      await frame.getByText('Something covers this window.').waitFor()
      const agree = frame.getByRole('button', { name: button, exact: true })
      expect(await agree.isDisabled(), name).toBe(true)
      // Nothing happens even if a click reaches the frame, with a code in the field.
      if (secret !== undefined && name !== 'setPassword' && name !== 'revokeSet')
        await frame.getByLabel('Code').fill('123456')
      await agree.evaluate((element: HTMLButtonElement) => element.click())
      await frame.getByRole('heading', { level: 1 }).waitFor()
      await clickUnseen(frame, 'Cancel')
      expect((await calling).code, name).toBe('user_rejected')
    }
    // Opening a backup requires its password or recovery code.
    if (secret === undefined) {
      const backing = call(page, 'backup', address, transaction)
      const frame = await getFrame(page, 'visible')
      await frame.getByLabel('Password or recovery code').fill(OWN)
      await clickUnseen(frame, 'Continue')
      await frame.getByRole('alert').filter({ hasText: 'Wrong password' }).waitFor()
      await clickUnseen(frame, 'Cancel')
      expect((await backing).code).toBe('user_rejected')
    }
    expect((await call(page, 'signRawMessage', address, transaction)).code).toBe('policy_refused')
    // The relay did none of this, and the page got no backup.
    expect(done.filter(path => /\/(sign|begin|commit|export|permit|policy|revoke)$/.test(path))).toEqual([])
    expect(kept.filter(what => what.startsWith('save'))).toEqual(['save 0'])
    const [wallet] = await page.evaluate(() => window.host.keybay.waas.wallets())
    expect(wallet).toMatchObject({ epoch: 0, thresholdSignatureScheme: 'TWO_OF_THREE', exported: false })
    expect(wallet?.policy).toBeUndefined()
    expect(wallet?.sets).toHaveLength(1)
    expect(await page.evaluate(address => window.host.keybay.waas.isPasswordEncrypted(address), address)).toBe(false)
    // The user signs what the user sees.
    await style.evaluate(element => element.parentNode?.removeChild(element))
    const signing = sign(page, address, 'mine')
    if (secret !== undefined) {
      const frame = await getFrame(page, 'visible')
      await frame.getByLabel('Code').fill(world.nextTotp(secret))
      await press(frame.getByRole('button', { name: 'Sign' }))
    }
    expect(isSignature(address, 'mine', await signing)).toBe(true)
  },
  240_000,
)

it('refuses IDs with path characters before a request reaches the relay', async () => {
  const page = await world.visit()
  await world.signIn(page)
  const { address } = await create(page, 'TWO_OF_TWO')
  world.requests.length = 0
  for (const id of ['../../other', 'a/b', '..', 'x?y', '%2e%2e']) {
    const outcome = await page.evaluate(
      ([address, id]) => window.host.outcome(window.host.keybay.waas.revokeSet(address, id)),
      [address, id] as const,
    )
    expect(outcome.code).toBe('record_invalid')
  }
  expect(world.requests).toEqual([])
})
