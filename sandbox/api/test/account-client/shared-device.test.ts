/** Two users at one browser: the first stays signed in, and the second signs in with a login of their own. */
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { network } from './dom.js'
import {
  answerLinkQuestions,
  byEmail,
  fresh,
  openPage,
  openSignedIn,
  type Page,
  question,
  startWorld,
} from './support.js'
import { testWallet } from './wallet.js'

const world = await startWorld()
afterAll(world.stop)
beforeEach(fresh)

function getLinkRequests(): readonly string[] {
  return network.sent.filter(({ url, method }) => method === 'POST' && url.includes('/users/me/')).map(({ url }) => url)
}
async function getMethods(page: Page) {
  return (await page.account.user.refresh())?.credentials.map(({ method }) => method)
}

describe('a second user who signs in at the browser of the first', () => {
  it('is asked before a code is sent, and cancelling links nothing and keeps the first user signed in', async () => {
    const page = await openSignedIn(world, 'alice@example.com')
    const state = page.session.current
    const titles = answerLinkQuestions(page, 'cancel')
    await expect(byEmail(world, page, 'bob@example.com')).rejects.toMatchObject({ code: 'user_rejected' })
    expect(titles).toEqual(['Add this login to the account of alice@example.com?'])
    expect(getLinkRequests()).toEqual([])
    expect(page.session.current).toEqual(state)
    expect(await getMethods(page)).toEqual(['email'])
    expect(page.prompts.list()).toEqual([])
  })
  it.each(['connect-only', 'connect-and-sign'] as const)(
    'is asked before the wallet opens, with %s',
    async authMode => {
      const address = `alice-${authMode}@example.com`
      const wallet = testWallet(['solana:signIn', 'solana:signMessage'])
      const page = await openSignedIn(world, address, { wallets: [wallet.connector], authMode })
      const titles = answerLinkQuestions(page, 'cancel')
      const attempt = authMode === 'connect-only' ? page.account.signIn('test-wallet') : page.connect('test-wallet')
      await expect(attempt).rejects.toMatchObject({ code: 'user_rejected' })
      expect(titles).toEqual([`Add this login to the account of ${address}?`])
      expect(wallet.texts).toEqual([])
      expect(getLinkRequests()).toEqual([])
      expect(await getMethods(page)).toEqual(['email'])
    },
  )
})

it('says which account it is, and what to do if it is not the user’s', async () => {
  const wallet = testWallet()
  const page = openPage(world, { wallets: [wallet.connector] })
  await page.account.signIn('test-wallet')
  const linking = page.account.signIn('email', 'second@example.com')
  const prompt = await question(page, 'choice')
  expect(prompt).toMatchObject({
    title: `Add this login to the account of ${wallet.address.slice(0, 6)}…${wallet.address.slice(-6)}?`,
    text: 'If this isn’t your account, cancel and sign out first.',
    options: [
      { id: 'add', label: 'Add' },
      { id: 'cancel', label: 'Cancel' },
    ],
    connectorId: 'email',
  })
  prompt.cancel()
  await expect(linking).rejects.toMatchObject({ code: 'user_rejected' })
})
it('asks once per login, and not about a wallet that the user has', async () => {
  const wallet = testWallet()
  const page = await openSignedIn(world, 'carol@example.com', { wallets: [wallet.connector] })
  const titles = answerLinkQuestions(page)
  await byEmail(world, page, 'carol2@example.com')
  expect(titles).toHaveLength(1)
  await page.account.signIn('test-wallet')
  expect(titles).toHaveLength(2)
  await page.account.signIn('test-wallet')
  expect(titles).toHaveLength(2)
})
it('asks again if another user has signed in while the question was open', async () => {
  const page = await openSignedIn(world, 'grace@example.com')
  const entrance = await page.account.entrance()
  const posting = entrance.post('email', { email: 'ivan@example.com' })
  const first = await question(page, 'choice')
  await page.account.signOut()
  await byEmail(world, page, 'heidi@example.com')
  first.answer('add')
  const second = await question(page, 'choice', first)
  expect(second.title).toBe('Add this login to the account of heidi@example.com?')
  second.answer('cancel')
  await expect(posting).rejects.toMatchObject({ code: 'user_rejected' })
  expect(getLinkRequests()).toEqual([])
})
it('asks again if another tab has signed in another user since the user agreed', async () => {
  const page = await openSignedIn(world, 'dave@example.com')
  const titles = answerLinkQuestions(page)
  const entrance = await page.account.entrance()
  const sent = Object(await entrance.post('email', { email: 'erin@example.com' }))
  await page.account.signOut()
  await byEmail(world, page, 'frank@example.com')
  const code = await world.codeFor('erin@example.com')
  await entrance.post('email/verify', { verificationId: sent.verificationId, code }).catch(() => {})
  expect(titles).toEqual([
    'Add this login to the account of dave@example.com?',
    'Add this login to the account of frank@example.com?',
  ])
})
