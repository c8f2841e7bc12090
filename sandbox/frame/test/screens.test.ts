/** Tests the visible frame's screens: accessibility, light and dark, keyboard alone. */
import { sendToken } from '@keybay/sandbox-relay/testing/frame/grants'
import { leaveFrame } from '@keybay/sandbox-tools/testing/leave-frame'
import { readWhole } from '@keybay/sandbox-tools/testing/press'
import { Keypair, PublicKey, SystemProgram, Transaction, type TransactionInstruction } from '@solana/web3.js'
import bs58 from 'bs58'
import { expect, it } from 'vitest'
import { violations } from './axe.js'
import { agree, attempt, attemptSign, call, create, enter } from './user.js'
import { getFrame, setUpWorld } from './world.js'

const world = setUpWorld()

it.each(['light', 'dark'] as const)(
  'dialogs in the %s color scheme pass the accessibility checks and work by keyboard',
  async colorScheme => {
    const { page } = await enter(world)
    await page.emulateMedia({ colorScheme })
    const creating = attempt(page, 'createWallet', { scheme: 'TWO_OF_THREE' })
    const protect = await getFrame(page, 'visible')
    await protect.getByRole('heading', { name: 'Where should your backup go?' }).waitFor()
    expect(await violations(protect)).toEqual([])
    await protect.getByLabel('A file').press('Enter')
    await protect.getByRole('heading', { name: 'Protect the backup' }).waitFor()
    expect(await violations(protect)).toEqual([])
    await protect.getByLabel('Password', { exact: true }).fill('short')
    await protect.getByLabel('Password', { exact: true }).press('Enter')
    await protect.getByRole('alert').getByText('Use at least 8 characters.').waitFor()
    expect(await violations(protect)).toEqual([])
    leaveFrame(page)
    expect((await creating).code).toBe('user_rejected')

    const { address } = await create(page, 'TWO_OF_TWO')
    const from = new PublicKey(address)
    const transaction = new Transaction({ feePayer: from, recentBlockhash: '11111111111111111111111111111111' }).add(
      SystemProgram.transfer({ fromPubkey: from, toPubkey: Keypair.generate().publicKey, lamports: 3_000_000_000 }),
      { programId: Keypair.generate().publicKey, keys: [], data: Buffer.from([1]) },
    )
    const bytes = transaction.serialize({ requireAllSignatures: false }).toString('base64')
    const signing = attemptSign(page, address, bytes, 'signTransaction')
    const consent = await getFrame(page, 'visible')
    const agree = consent.getByRole('button', { name: 'Sign' })
    await readWhole(agree)
    expect(await violations(consent)).toEqual([])
    // A screen reader starts at the title, which has the focus; Tab moves through the screen to the buttons.
    await expect.poll(() => consent.evaluate(() => document.activeElement?.tagName)).toBe('H1')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await expect.poll(() => consent.evaluate(() => document.activeElement?.textContent)).toBe('Sign')
    leaveFrame(page)
    expect((await signing).code).toBe('user_rejected')
  },
)

it('the offers not to ask again for SOL and for a token pass the accessibility checks, and work by keyboard', async () => {
  const { page } = await enter(world)
  const { address } = await create(page, 'TWO_OF_TWO')
  const order = JSON.stringify({ owner: address, symbol: 'OFFER' })
  const { mint } = await (await fetch(`${world.chain.url}/admin/mint`, { method: 'POST', body: order })).json()
  const build = (instruction: TransactionInstruction) =>
    new Transaction({ feePayer: new PublicKey(address), recentBlockhash: address })
      .add(instruction)
      .serialize({ requireAllSignatures: false })
      .toString('base64')
  const to = { fromPubkey: new PublicKey(address), toPubkey: Keypair.generate().publicKey, lamports: 1 }
  const token = build(sendToken(address, { mint, amount: 1_000_000n }))
  for (const [content, names] of [
    [build(SystemProgram.transfer(to)), ['SOL']],
    [token, ['SOL', mint]],
  ] as const) {
    const signing = attemptSign(page, address, content, 'signTransaction')
    const frame = await getFrame(page, 'visible')
    const box = frame.getByRole('checkbox', { name: `sends ${names.join(' and ')}, up to an amount a day` })
    await box.waitFor()
    expect(await violations(frame)).toEqual([])
    await box.focus()
    await page.keyboard.press('Space')
    expect(await violations(frame)).toEqual([])
    for (const [index, name] of names.entries()) {
      if (index > 0) await page.keyboard.press('Tab')
      await frame.getByLabel(`${name} a day`).and(frame.locator(':focus')).waitFor()
      await page.keyboard.type('2')
    }
    if (names.length === 1) leaveFrame(page)
    else await agree(page, 'Sign')
    expect((await signing).code).toBe(names.length === 1 ? 'user_rejected' : undefined)
  }
  const [wallet] = await call(page, 'wallets')
  expect(wallet?.policy?.tokens).toEqual([{ mint, decimals: 6, dailyLimit: 2_000_000n }])
  expect((await attemptSign(page, address, token, 'signTransaction')).code).toBeUndefined()
})

it('the windows of both devices that share a code pass the accessibility checks', async () => {
  const { page: home, user } = await enter(world)
  const { address } = await create(home, 'TWO_OF_TWO')
  const { page: laptop } = await enter(world, user)
  for (const page of [laptop, home]) {
    await page.bringToFront()
    await call(page, 'wallets')
    const adding = attempt(page, 'addDevice', address)
    const frame = await getFrame(page, 'visible')
    await frame.getByRole('heading', { name: page === laptop ? 'Add this device' : 'Add this device?' }).waitFor()
    if (page === laptop) await frame.locator('pre.code').waitFor()
    else {
      // The window takes an entry once the user has seen all of it.
      await frame.getByRole('button', { name: 'Add', disabled: false }).waitFor()
      await frame.getByLabel('Group').first().press('Enter')
      await frame.getByRole('alert').getByText('Enter both groups').waitFor()
    }
    expect(await violations(frame)).toEqual([])
    if (page === home) {
      leaveFrame(page)
      expect((await adding).code).toBe('user_rejected')
    }
  }
})

it('the key window reports what is wrong with a private key to a keyboard user', async () => {
  const { page } = await enter(world)
  const importing = attempt(page, 'importPrivateKey', { scheme: 'TWO_OF_TWO' })
  const frame = await getFrame(page, 'visible')
  const field = frame.getByLabel('Private key')
  const key = Keypair.generate()
  await field.fill(bs58.encode(Uint8Array.of(...key.secretKey.slice(0, 32), ...Keypair.generate().publicKey.toBytes())))
  await field.press('Enter')
  await frame.getByRole('alert').getByText('The public half is not that of the secret half').waitFor()
  await field.fill(key.publicKey.toBase58())
  await field.press('Enter')
  await frame.getByRole('alert').getByText('an address is no key').waitFor()
  expect(await violations(frame)).toEqual([])
  // Works without focus on a field, too.
  await field.blur()
  leaveFrame(page)
  expect((await importing).code).toBe('user_rejected')
})
