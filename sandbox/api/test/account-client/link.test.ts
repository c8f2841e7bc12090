/** Linking, unlinking and merging, against the real API. */
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { answerLinkQuestions, byEmail, fresh, openPage, question, startWorld } from './support.js'
import { refusal, testWallet } from './wallet.js'

const world = await startWorld()
afterAll(world.stop)
beforeEach(fresh)

function methods(page: ReturnType<typeof openPage>) {
  return page.account.user.current.user?.credentials.map(({ method, email, address }) => email ?? address ?? method)
}

it('a login links a credential if a user is signed in when the login begins', async () => {
  const page = openPage(world)
  answerLinkQuestions(page)
  const state = await byEmail(world, page, 'first@example.com')
  expect((await page.account.entrance()).mode).toBe('link')
  expect(await byEmail(world, page, 'second@example.com')).toEqual(state)
  expect(methods(page)).toEqual(['first@example.com', 'second@example.com'])
  await expect(page.account.unlink('../me')).rejects.toMatchObject({ code: 'invalid_request' })
  await page.account.signOut()
  expect((await page.account.entrance()).mode).toBe('sign-in')
  expect(await byEmail(world, page, 'second@example.com')).toEqual(state)
})

describe('a credential of another user', () => {
  const twoUsers = async (name: string) => {
    const wallet = testWallet()
    const page = openPage(world, { wallets: [wallet.connector] })
    answerLinkQuestions(page)
    const other = await page.account.signIn('test-wallet')
    await page.account.signOut()
    const mine = await byEmail(world, page, `${name}@example.com`)
    return { wallet, page, other, mine }
  }
  it('[S11.1] linking another user’s credential merges the two users if the user agrees', async () => {
    const { page, wallet, mine } = await twoUsers('merge')
    const linking = page.account.signIn('test-wallet')
    const prompt = await question(page, 'merge-accounts')
    expect(prompt.expiresAt).toBeGreaterThan(Date.now())
    expect(prompt.connectorId).toBe('test-wallet')
    prompt.answer('merge')
    expect(await linking).toEqual(mine)
    expect(methods(page)).toEqual([wallet.address, 'merge@example.com'].sort(a => (a === wallet.address ? -1 : 1)))
    await page.account.signOut()
    expect((await page.account.signIn('test-wallet')).userId).toBe(mine.userId)
  })
  it('[S11.1] another user’s credential stays with its user if the merge is refused', async () => {
    const { page, other, mine } = await twoUsers('refuse')
    const linking = page.account.signIn('test-wallet')
    const prompt = await question(page, 'merge-accounts')
    prompt.cancel()
    await expect(linking).rejects.toMatchObject({ code: 'user_rejected' })
    expect(page.session.current).toEqual(mine)
    expect(methods(page)).toEqual(['refuse@example.com'])
    await page.account.signOut()
    expect(await page.account.signIn('test-wallet')).toEqual(other)
  })
  it('merges two users after a code, and closes the code’s prompt first', async () => {
    const page = openPage(world)
    answerLinkQuestions(page)
    const other = await byEmail(world, page, 'taken@example.com')
    await page.account.signOut()
    const ownSession = await byEmail(world, page, 'taker@example.com')
    expect(ownSession.userId).not.toBe(other.userId)
    const linking = page.account.signIn('email', 'taken@example.com')
    const code = await question(page, 'one-time-code')
    code.answer(await code.submit(await world.codeFor('taken@example.com')))
    const prompt = await question(page, 'merge-accounts')
    expect(page.prompts.list()).toEqual([prompt])
    prompt.answer('merge')
    await linking
    expect(methods(page)?.sort()).toEqual(['taken@example.com', 'taker@example.com'])
  })
})

it('leaves the session unchanged if the user refuses a link in the wallet', async () => {
  const wallet = testWallet()
  wallet.refuses['solana:signMessage'] = refusal
  const page = openPage(world, { wallets: [wallet.connector] })
  const state = await byEmail(world, page, 'still@example.com')
  answerLinkQuestions(page)
  const seen: unknown[] = []
  page.on('session:changed', event => seen.push(event))
  await expect(page.account.signIn('test-wallet')).rejects.toMatchObject({ code: 'user_rejected' })
  expect(page.session.current).toBe(state)
  expect(seen).toEqual([])
})
