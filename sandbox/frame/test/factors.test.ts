/** Tests second factors in the visible frame: each operation that requires one prompts once, beside its purpose. */
import { Keypair, PublicKey, SystemProgram, Transaction } from '@solana/web3.js'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { createOther, TYPED, typedSigner, visitAll } from './chains.js'
import { overhear } from './overheard.js'
import { create, isSignature, press, sign } from './person.js'
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

async function enrolEmail(page: Page, email: string) {
  await page.evaluate(async email => {
    const { confirm } = await window.host.keybay.account.mfa.add('email')
    await confirm(await window.codeFor(email))
  }, email)
  // Relays check a session's factors at most every 10 s.
  world.advanceRelays(11_000)
}

it('[S6.1] a large transfer, a reshare, looser rules and a new device show one question each; the page sees no code', async () => {
  const page = await world.visit()
  const email = await world.signIn(page)
  // The other device signs in before sign-in requires a second factor.
  const laptop = await world.visit(await world.newContext())
  await world.signIn(laptop, email)
  await page.bringToFront()
  const overheard = await overhear(page)
  const { address } = await create(page, 'TWO_OF_THREE')
  await enrolEmail(page, email)
  const codes: string[] = []

  const from = new PublicKey(address)
  const transaction = new Transaction({ feePayer: from, recentBlockhash: '11111111111111111111111111111111' }).add(
    SystemProgram.transfer({ fromPubkey: from, toPubkey: Keypair.generate().publicKey, lamports: 2_000_000_000 }),
  )
  const signing = page.evaluate(([address, transaction]) => window.host.signTransaction(address, transaction), [
    address,
    transaction.serialize({ requireAllSignatures: false }).toString('base64'),
  ] as const)
  const transfer = await confirm(page, email, 'Sign this transaction?', 'Sign')
  expect(transfer.words).toContain('2 SOL')
  expect(transfer.words).toMatch(/You are asked because of a rule\. At most [\d.]+ SOL pass in 24 hours/)
  const signed = Transaction.from(Buffer.from(await signing, 'base64'))
  expect(signed.verifySignatures()).toBe(true)
  codes.push(transfer.code)

  const resharing = page.evaluate(address => window.host.keybay.waas.reshare(address, { to: 'TWO_OF_TWO' }), address)
  codes.push((await confirm(page, email, 'Create new key shares?', 'Confirm')).code)
  expect((await resharing).wallet).toMatchObject({ epoch: 1, thresholdSignatureScheme: 'TWO_OF_TWO' })

  const policy = { dailyLimit: 9_000_000_000_000n, programs: [], messages: true }
  const setting = page.evaluate(([address, policy]) => window.host.keybay.waas.setPolicy(address, policy), [
    address,
    policy,
  ] as const)
  const rules = await confirm(page, email, 'Change what this wallet may do?', 'Change')
  expect(rules.words).toContain('At most 9000 SOL a day.')
  expect((await setting).policy).toMatchObject(policy)
  codes.push(rules.code)

  // This device prompts for the factor, beside the code of the other device to compare.
  await laptop.evaluate(() => window.host.keybay.waas.wallets())
  const asking = laptop.evaluate(address => window.host.outcome(window.host.keybay.waas.addDevice(address)), address)
  const shown = await getFrame(laptop, 'visible')
  const code = (await shown.locator('pre.code').textContent()) ?? ''
  await page.bringToFront()
  const admitting = page.evaluate(address => window.host.outcome(window.host.keybay.waas.addDevice(address)), address)
  const device = await confirm(page, email, 'Add this device?', 'Add')
  expect(device.words).toContain(`It shows the code ${code}.`)
  codes.push(device.code)
  expect((await admitting).code).toBeUndefined()
  expect((await asking).code).toBeUndefined()

  const known = await overheard.text()
  expect(known).toContain('signedTransaction')
  for (const code of codes) {
    expect(overheard.factors.some(body => body.includes(code))).toBe(true)
    expect(known).not.toContain(code)
  }
  expect(await page.evaluate(() => window.host.keybay.prompts.list().length)).toBe(0)
  // The next message requires the factor too: nothing is signed without it.
  const message = sign(page, address, 'and a message')
  await confirm(page, email, 'Sign this message?', 'Sign')
  expect(isSignature(address, 'and a message', await message)).toBe(true)
})

it('[S6.1] signing typed data with an Ethereum account shows one question, and the page sees no code', async () => {
  const page = await visitAll(world)
  const email = await world.signIn(page)
  const overheard = await overhear(page)
  const { address } = await createOther(page, 'EVM')
  await enrolEmail(page, email)
  const signing = page.evaluate(([address, typed]) => window.host.signTypedData(address, typed), [
    address,
    JSON.stringify(TYPED),
  ] as const)
  const { words, code } = await confirm(page, email, 'Sign this data?', 'Sign')
  expect(words).toContain(TYPED.message.taker)
  expect(typedSigner(await signing)).toBe(address)
  expect(await page.evaluate(() => window.host.keybay.prompts.list().length)).toBe(0)
  expect(overheard.factors.some(body => body.includes(code))).toBe(true)
  expect(await overheard.text()).not.toContain(code)
})
