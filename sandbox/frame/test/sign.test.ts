/** Tests signing: what the user sees, what is refused, an unavailable relay, and several tabs. */
import { Connection, Keypair, PublicKey, Transaction } from '@solana/web3.js'
import { expect, it } from 'vitest'
import {
  agree,
  attemptAgreed,
  attemptSign,
  call,
  enrolTotp,
  expectSigns,
  getTransfer,
  isSignature,
  open,
  press,
  readWallet,
  reshare,
  setUpWallet,
  sign,
} from './user.js'
import { getFrame, setUpWorld } from './world.js'

const MEMO = new PublicKey('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr')
const world = setUpWorld()
const openWallet = setUpWallet(world)

function countSignRequests(): number {
  return world.requests.filter(path => path.endsWith('/sign')).length
}

it('shows the same phrase in each window of a user, which the page cannot read, and knows who was paid before', async () => {
  const { page, address } = await open(world)
  const content = getTransfer(address, { lamports: 1 })
  const read = async () => {
    const signing = sign(page, address, content, 'signTransaction')
    const frame = await getFrame(page, 'visible')
    await frame.getByRole('heading', { name: 'Sign this transaction?' }).waitFor()
    const [phrase, isNew, isFirst] = await Promise.all([
      frame.getByText(/^Your phrase /).textContent(),
      frame.getByText('Remember this phrase').count(),
      frame.getByText('First time you send here').count(),
    ])
    await agree(page, 'Sign')
    await signing
    return { phrase, isNew, isFirst }
  }
  const first = await read()
  expect(first.phrase).toMatch(/^Your phrase [a-z]+ [a-z]+ [a-z]+$/)
  expect(first).toMatchObject({ isNew: 1, isFirst: 1 })
  expect(await read()).toEqual({ phrase: first.phrase, isNew: 0, isFirst: 0 })
  expect(await page.content()).not.toContain(first.phrase?.replace('Your phrase ', '') ?? '')
})

it('refuses to sign a transaction as a message, and sends nothing to the relay', async () => {
  const { page, address } = await openWallet()
  const transaction = Transaction.from(Buffer.from(getTransfer(address, { lamports: 1 }), 'base64'))
  world.requests.length = 0
  const message = transaction.serializeMessage().toString('base64')
  expect((await attemptSign(page, address, message, 'signBytes')).code).toBe('frame_disguised_transaction')
  expect(countSignRequests()).toBe(0)
})

it('asks before it signs in at another site, names both sites, and tells the relay nothing before the user agrees', async () => {
  const { page, address } = await openWallet()
  const { host, origin } = new URL(page.url())
  const signIn = (site: string, uri: string) =>
    `${site} wants you to sign in with your Solana account:\n${address}\n\nURI: ${uri}\nVersion: 1\nNonce: 12345678`
  const own = sign(page, address, signIn(host, origin))
  await (await getFrame(page, 'visible')).getByRole('heading', { name: `Sign in to ${host}?` }).waitFor()
  await agree(page, 'Sign')
  await own
  const message = signIn('market.example', 'https://market.example')
  const transaction = new Transaction({ feePayer: new PublicKey(address), recentBlockhash: address })
  transaction.add({ programId: MEMO, keys: [], data: Buffer.from(message) })
  const memo = transaction.serialize({ requireAllSignatures: false }).toString('base64')
  for (const [content, how] of [
    [message, 'signMessage'],
    [memo, 'signTransaction'],
  ] as const) {
    world.requests.length = 0
    const signing = sign(page, address, content, how)
    const frame = await getFrame(page, 'visible')
    await frame.getByText(`This signs you in to market.example. ${host} asks for it`).waitFor()
    expect(countSignRequests()).toBe(0)
    await agree(page, 'Sign')
    expect(await signing).toMatch(/^[\w+/]{86}/)
    expect(countSignRequests()).toBe(1)
  }
})

it('[S1.7][S7.3] signTransaction shows amount, destination and simulated changes of a transfer before it signs, and the chain accepts it', async () => {
  const { page, address } = await openWallet()
  const connection = new Connection(world.chain.url, 'confirmed')
  await connection.confirmTransaction(await connection.requestAirdrop(new PublicKey(address), 5_000_000_000))
  const to = Keypair.generate().publicKey
  const signTransfer = async (lamports: number) => {
    const { blockhash } = await connection.getLatestBlockhash()
    return sign(page, address, getTransfer(address, { lamports, to, blockhash }), 'signTransaction')
  }
  const send = async (signed: string) =>
    connection.confirmTransaction(await connection.sendRawTransaction(Buffer.from(signed, 'base64')))
  const signing = signTransfer(2_000_000_000)
  const frame = await getFrame(page, 'visible')
  await frame.getByRole('heading', { name: 'Sign this transaction?' }).waitFor()
  const words = (await frame.getByRole('main').textContent()) ?? ''
  const simulated = ['Leaves2.000005 SOL', 'Solana localnet', new URL(world.chain.url).host]
  for (const part of [address, to.toBase58(), '2 SOL', 'Send SOL', new URL(page.url()).origin, ...simulated])
    expect(words).toContain(part)
  await agree(page, 'Sign')
  expect((await send(await signing)).value.err).toBeNull()
  expect(await connection.getBalance(to)).toBe(2_000_000_000)
})

it('offers not to ask again for the app: then transfers up to the amount are silent, and messages and larger ones ask', async () => {
  const { page, address } = await open(world)
  const transfer = (lamports: number) => getTransfer(address, { lamports })
  const first = sign(page, address, transfer(1_000), 'signTransaction')
  const frame = await getFrame(page, 'visible')
  const box = frame.getByRole('checkbox', { name: `Don’t ask again when ${new URL(page.url()).host} sends SOL` })
  const amount = frame.getByLabel('SOL a day')
  expect(await box.isChecked()).toBe(false)
  expect(await amount.isDisabled()).toBe(true)
  // The keyboard is enough.
  await box.focus()
  await page.keyboard.press('Space')
  await press(frame.getByRole('button', { name: 'Sign' }))
  await frame.getByRole('alert').filter({ hasText: 'Enter how much SOL a day' }).waitFor()
  await amount.fill('0.5')
  await press(frame.getByRole('button', { name: 'Sign' }))
  expect(await first).toMatch(/^[\w+/]{86}/)
  expect((await readWallet(page))?.policy).toMatchObject({ dailyLimit: 500_000_000n, otherwise: 'ask' })
  expect(await sign(page, address, transfer(400_000_000), 'signTransaction')).toMatch(/^[\w+/]{86}/)
  const larger = sign(page, address, transfer(400_000_000), 'signTransaction')
  await agree(page, 'Sign')
  await larger
  const message = sign(page, address, 'hello')
  await agree(page, 'Sign')
  expect(isSignature(address, 'hello', await message)).toBe(true)
  // Ending the grant needs no window.
  await call(page, 'setPolicy', address, null)
  const again = sign(page, address, transfer(1_000), 'signTransaction')
  await agree(page, 'Sign')
  await again
})

it('reports that the relay is down, and signs once the relay is back', async () => {
  const { page, address } = await openWallet()
  await expectSigns(page, address)
  await world.stopRelay()
  const outcome = await attemptAgreed(page, address).finally(() => world.resumeRelay())
  expect(outcome.message).toBe('The relay can’t be reached. Try again')
  await expectSigns(page, address)
})

it('signs in two tabs at once, and in the second tab after a refresh in the first', async () => {
  const { page: first, address } = await open(world)
  const second = await world.visit(first.context())
  await Promise.all([expectSigns(first, address, 'one'), expectSigns(second, address, 'two')])
  expect((await reshare(first, address, 'refresh', false)).wallet.epoch).toBe(1)
  await expectSigns(second, address)
})

it('asks about two signatures one after the other, and refusing one leaves the other', async () => {
  const { page, address } = await openWallet()
  const outcomes = ['one', 'two'].map(text => attemptSign(page, address, text))
  for (const index of [0, 1])
    await page
      .locator('dialog')
      .nth(index)
      .frameLocator('iframe')
      .getByText('Sign this message?')
      .waitFor({ state: 'attached' })
  expect(await page.locator('dialog[open]').count()).toBe(1)
  await agree(page, 'Cancel')
  const refused = await Promise.race(outcomes)
  expect(refused.code).toBe('user_rejected')
  await agree(page, 'Sign')
  expect((await Promise.all(outcomes)).map(({ code }) => code)).toEqual(
    expect.arrayContaining(['user_rejected', undefined]),
  )
})

it('lets the user approve a request that is longer than its window, at the end of the request', async () => {
  const { page, address } = await openWallet()
  const transfers = Array.from({ length: 8 }, (_, index) => ({ lamports: 1_000_000_001 + index }))
  const signing = attemptSign(page, address, getTransfer(address, ...transfers), 'signTransaction')
  const frame = await getFrame(page, 'visible')
  const button = frame.getByRole('button', { name: 'Sign' })
  await button.waitFor()
  // The window grows to the height of the page, and the rest scrolls above the buttons.
  const measure = ({ scrollHeight, clientHeight }: Element) => [scrollHeight, clientHeight] as const
  const [whole = 0, shown] = await frame.locator('.parts').evaluate(measure)
  expect(whole).toBeGreaterThan(page.viewportSize()?.height ?? Infinity)
  expect(whole).toBeGreaterThan(shown)
  await press(button)
  expect((await signing).code).toBeUndefined()
})

// The last one: a relay that starts again has no advanced clock.
it('[S7.3] signRawMessage signs 32 bytes that the user has seen, with a second factor', async () => {
  const { page, address } = await open(world)
  const secret = await enrolTotp(page)
  // Relays check a session's factors at most every 10 s.
  world.advanceRelays(11_000)
  const digest = 'ab'.repeat(32)
  const signing = attemptSign(page, address, digest, 'signRawMessage')
  const frame = await getFrame(page, 'visible')
  await frame.getByText(digest).waitFor()
  await frame.getByLabel('Code').fill(world.nextTotp(secret))
  await agree(page, 'Sign')
  const { value, ...failure } = await signing
  expect(failure).toEqual({})
  expect(isSignature(address, Buffer.from(digest, 'hex'), String(value))).toBe(true)
})
