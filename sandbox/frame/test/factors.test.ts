/** Tests second factors in the visible frame: each operation that requires one prompts once, beside its purpose. */
import { typeJoinCode } from '@keybay/sandbox-tools/testing/join-code'
import { Transaction } from '@solana/web3.js'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { createOther, enterAll, TYPED, typedSigner } from './chains.js'
import { enrolEmail } from './enrol-email.js'
import { overhear } from './overheard.js'
import { attempt, call, create, enter, getTransfer, isSignature, press, sign } from './user.js'
import { getFrame, setUpWorld } from './world.js'

const world = setUpWorld()

/** Answers the question with this title, using the code sent by email. @returns the question's text and the code */
async function confirm(page: Page, email: string, title: string, button: string) {
  const frame = await getFrame(page, 'visible')
  await frame.getByRole('heading', { name: title }).waitFor()
  const words = (await frame.getByRole('main').textContent()) ?? ''
  const code = await world.codeFor(email)
  await frame.getByLabel('Code').fill(code)
  await press(frame.getByRole('button', { name: button, exact: true }))
  return { words, code }
}

/** @returns the address of the second factor */
async function addFactor(page: Page, user: string): Promise<string> {
  const { email } = await enrolEmail(page, user)
  // Relays check a session's factors at most every 10 s.
  world.advanceRelays(11_000)
  return email
}

function countPrompts(page: Page): Promise<number> {
  return page.evaluate(() => window.host.keybay.prompts.list().length)
}

it('[S6.1] a transfer, a reshare, looser rules and a new device show one question each; the page sees no code', async () => {
  const { page, user } = await enter(world)
  // The other device signs in before sign-in requires a second factor.
  const { page: laptop } = await enter(world, user)
  await page.bringToFront()
  const overheard = await overhear(page)
  const { address } = await create(page, 'TWO_OF_THREE')
  const email = await addFactor(page, user)
  const codes: string[] = []

  const signing = sign(page, address, getTransfer(address, { lamports: 2_000_000_000 }), 'signTransaction')
  const transfer = await confirm(page, email, 'Sign this transaction?', 'Sign')
  expect(transfer.words).toContain('2 SOL')
  expect(transfer.words).toContain('Don’t ask again when app.localhost')
  expect(Transaction.from(Buffer.from(await signing, 'base64')).verifySignatures()).toBe(true)
  codes.push(transfer.code)

  const resharing = call(page, 'reshare', address, { to: 'TWO_OF_TWO' })
  codes.push((await confirm(page, email, 'Create new key shares?', 'Confirm')).code)
  expect((await resharing).wallet).toMatchObject({ epoch: 1, thresholdSignatureScheme: 'TWO_OF_TWO' })

  const policy = { dailyLimit: 9_000_000_000_000n, programs: [], messages: true }
  const setting = call(page, 'setPolicy', address, policy)
  const rules = await confirm(page, email, 'Change what this wallet may do?', 'Change')
  expect(rules.words).toContain('It signs without asking you, within these rules, and refuses everything else.')
  expect(rules.words).toContain('At most 9000 SOL a day.')
  expect((await setting).policy).toMatchObject(policy)
  codes.push(rules.code)

  // This device prompts for the factor, beside the groups of the other device’s code.
  await call(laptop, 'wallets')
  const asking = attempt(laptop, 'addDevice', address)
  const shown = await getFrame(laptop, 'visible')
  const code = (await shown.locator('pre.code').textContent()) ?? ''
  await page.bringToFront()
  const admitting = attempt(page, 'addDevice', address)
  await typeJoinCode(await getFrame(page, 'visible'), code)
  const device = await confirm(page, email, 'Add this device?', 'Add')
  expect(device.words).not.toContain(code)
  codes.push(device.code)
  expect((await admitting).code).toBeUndefined()
  expect((await asking).code).toBeUndefined()

  const known = await overheard.text()
  expect(known).toContain('signedTransaction')
  for (const code of codes) {
    expect(overheard.factors.some(body => body.includes(code))).toBe(true)
    expect(known).not.toContain(code)
  }
  expect(await countPrompts(page)).toBe(0)
  // The next message requires the factor too: nothing is signed without it.
  const message = sign(page, address, 'and a message')
  await confirm(page, email, 'Sign this message?', 'Sign')
  expect(isSignature(address, 'and a message', await message)).toBe(true)
})

it('[S6.1] signing typed data with an Ethereum account shows one question, and the page sees no code', async () => {
  const { page, user } = await enterAll(world)
  const overheard = await overhear(page)
  const { address } = await createOther(page, 'EVM')
  const email = await addFactor(page, user)
  const signing = sign(page, address, JSON.stringify(TYPED), 'signTypedData')
  const { words, code } = await confirm(page, email, 'Sign this data?', 'Sign')
  expect(words).toContain(TYPED.message.taker)
  expect(typedSigner(await signing)).toBe(address)
  expect(await countPrompts(page)).toBe(0)
  expect(overheard.factors.some(body => body.includes(code))).toBe(true)
  expect(await overheard.text()).not.toContain(code)
})
