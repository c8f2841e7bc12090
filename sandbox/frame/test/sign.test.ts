/** Tests signing: what the user sees, what is refused, an unavailable relay, and several tabs. */
import { Connection, Keypair, PublicKey, SystemProgram, Transaction } from '@solana/web3.js'
import { expect, it } from 'vitest'
import { create, isSignature, password, press, reload, reshare, sign } from './person.js'
import { getFrame, setUpWorld } from './world.js'

const world = setUpWorld()

it('refuses to sign a transaction as a message, and sends nothing to the relay', async () => {
  const page = await world.visit()
  await world.signIn(page)
  const { address } = await create(page, 'TWO_OF_TWO')
  const from = new PublicKey(address)
  const transaction = new Transaction({ feePayer: from, recentBlockhash: '11111111111111111111111111111111' }).add(
    SystemProgram.transfer({ fromPubkey: from, toPubkey: from, lamports: 1 }),
  )
  world.requests.length = 0
  const outcome = await page.evaluate(
    ([address, message]) => window.host.outcome(window.host.signBytes(address, message)),
    [address, transaction.serializeMessage().toString('base64')] as const,
  )
  expect(outcome.code).toBe('frame_disguised_transaction')
  expect(world.requests.filter(path => path.endsWith('/sign'))).toEqual([])
})

it('[S1.7] signs a transfer that the chain accepts; above the daily cap the user sees amount and destination first', async () => {
  const page = await world.visit()
  await world.signIn(page)
  const { address } = await create(page, 'TWO_OF_TWO')
  const connection = new Connection(world.chain.url, 'confirmed')
  const from = new PublicKey(address)
  await connection.confirmTransaction(await connection.requestAirdrop(from, 5_000_000_000))
  const to = Keypair.generate().publicKey
  const transfer = async (lamports: number) => {
    const { blockhash } = await connection.getLatestBlockhash()
    const transaction = new Transaction({ feePayer: from, recentBlockhash: blockhash }).add(
      SystemProgram.transfer({ fromPubkey: from, toPubkey: to, lamports }),
    )
    return transaction.serialize({ requireAllSignatures: false }).toString('base64')
  }
  const signTransaction = (transaction: string) =>
    page.evaluate(([address, transaction]) => window.host.signTransaction(address, transaction), [
      address,
      transaction,
    ] as const)
  const send = async (signed: string) =>
    connection.confirmTransaction(await connection.sendRawTransaction(Buffer.from(signed, 'base64')))
  expect((await send(await signTransaction(await transfer(100_000_000)))).value.err).toBeNull()
  // Two SOL: above the daily amount that needs no consent.
  const signing = signTransaction(await transfer(2_000_000_000))
  const frame = await getFrame(page, 'visible')
  await frame.getByRole('heading', { name: 'Sign this transaction?' }).waitFor()
  const words = (await frame.getByRole('main').textContent()) ?? ''
  for (const part of [address, to.toBase58(), '2 SOL', 'Send SOL', new URL(page.url()).origin])
    expect(words).toContain(part)
  await press(frame.getByRole('button', { name: 'Sign' }))
  expect((await send(await signing)).value.err).toBeNull()
  expect(await connection.getBalance(to)).toBe(2_100_000_000)
})

it('reports that the relay is down, and signs once the relay is back', async () => {
  const page = await world.visit()
  await world.signIn(page)
  const { address } = await create(page, 'TWO_OF_TWO')
  await sign(page, address, 'before')
  await world.stopRelay()
  const outcome = await page
    .evaluate(address => window.host.outcome(window.host.signMessage(address, 'during')), address)
    .finally(() => world.resumeRelay())
  expect(outcome.message).toBe('The relay can’t be reached. Try again')
  expect(isSignature(address, 'after', await sign(page, address, 'after'))).toBe(true)
})

it('asks for the password in the wallet’s window, and accepts no other password', async () => {
  const page = await world.visit()
  await world.signIn(page)
  const { wallet } = await page.evaluate(
    password => window.host.keybay.waas.createWallet({ scheme: 'TWO_OF_TWO', password }),
    password,
  )
  expect(wallet.passwordEncrypted).toBe(true)
  await reload(page)
  const address = wallet.accountAddress
  const signing = sign(page, address, 'secret')
  const frame = await getFrame(page, 'visible')
  await press(frame.getByRole('button', { name: 'Sign' }))
  const field = frame.getByLabel('Password or recovery code')
  await field.fill('wrong')
  await field.press('Enter')
  await frame.getByRole('alert').getByText('Wrong password').waitFor()
  await field.fill(password)
  await field.press('Enter')
  expect(isSignature(address, 'secret', await signing)).toBe(true)
})

it('signs in two tabs at once, and in the second tab after a refresh in the first', async () => {
  const context = await world.newContext()
  const [one, two] = [await world.visit(context), await world.visit(context)]
  await world.signIn(one)
  const { address } = await create(one, 'TWO_OF_TWO')
  await reload(two)
  const both = await Promise.all([sign(one, address, 'one'), sign(two, address, 'two')])
  expect(both.map((signature, index) => isSignature(address, index ? 'two' : 'one', signature))).toEqual([true, true])
  expect((await reshare(one, address, 'refresh', false)).wallet.epoch).toBe(1)
  expect(isSignature(address, 'three', await sign(two, address, 'three'))).toBe(true)
})

it('ignores clicks while something covers the button', async () => {
  const page = await world.visit()
  await world.signIn(page)
  const { address } = await create(page, 'TWO_OF_TWO')
  const from = new PublicKey(address)
  const transaction = new Transaction({ feePayer: from, recentBlockhash: '11111111111111111111111111111111' }).add(
    SystemProgram.transfer({ fromPubkey: from, toPubkey: Keypair.generate().publicKey, lamports: 2_000_000_000 }),
  )
  const signing = page.evaluate(
    ([address, transaction]) => window.host.outcome(window.host.signTransaction(address, transaction)),
    [address, transaction.serialize({ requireAllSignatures: false }).toString('base64')] as const,
  )
  const frame = await getFrame(page, 'visible')
  const button = frame.getByRole('button', { name: 'Sign' })
  await button.and(frame.locator(':enabled')).waitFor()
  // The host's page draws over its own frame, as clickjacking does; the click itself would reach the frame.
  await page.evaluate(() => {
    const cover = document.createElement('div')
    cover.popover = 'manual'
    cover.style.cssText = 'position:fixed;inset:0;width:100vw;height:100vh;background:white;pointer-events:none'
    document.body.append(cover)
    cover.showPopover()
  })
  await frame.getByText('Something covers this window.').waitFor()
  await button.evaluate((element: HTMLButtonElement) => element.click())
  await frame.getByRole('heading', { name: 'Sign this transaction?' }).waitFor()
  await frame
    .getByRole('button', { name: 'Cancel' })
    .evaluate((element: HTMLButtonElement) => void setTimeout(() => element.click()))
  expect((await signing).code).toBe('user_rejected')
  expect(world.requests.filter(path => path.endsWith('/sign'))).toHaveLength(1)
})

it('lets the user approve a request that is longer than its window, at the end of the request', async () => {
  const page = await world.visit()
  await world.signIn(page)
  const { address } = await create(page, 'TWO_OF_TWO')
  const from = new PublicKey(address)
  const { blockhash } = await new Connection(world.chain.url, 'confirmed').getLatestBlockhash()
  const transaction = new Transaction({ feePayer: from, recentBlockhash: blockhash })
  for (let lamports = 1_000_000_001; lamports <= 1_000_000_008; lamports += 1)
    transaction.add(SystemProgram.transfer({ fromPubkey: from, toPubkey: Keypair.generate().publicKey, lamports }))
  const signing = page.evaluate(
    ([address, transaction]) => window.host.outcome(window.host.signTransaction(address, transaction)),
    [address, transaction.serialize({ requireAllSignatures: false }).toString('base64')] as const,
  )
  const frame = await getFrame(page, 'visible')
  const button = frame.getByRole('button', { name: 'Sign' })
  await button.waitFor()
  const [whole, shown] = await frame.evaluate(() => [document.documentElement.scrollHeight, innerHeight] as const)
  expect(whole).toBeGreaterThan(shown)
  await press(button)
  expect((await signing).code).toBeUndefined()
})
