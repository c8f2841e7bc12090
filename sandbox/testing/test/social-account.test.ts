/** Tests social accounts of a signed-in user: added, shown, unlinked; and another user's account. */
import { expect, it } from 'vitest'
import { signInByCode } from '../src/flows-accounts.js'
import { setUpSandbox } from '../src/sandbox.js'
import { choose, openWindow, signInWith } from '../src/social.js'
import type { Visitor } from '../src/visitor.js'

const sandbox = setUpSandbox({ accounts: {}, social: true, embeddedWallets: true })
const { visit } = sandbox
/** The browser logs each refusal of the API. */
const conflict = { expectTrouble: /status of 409|^\[keybay\] connect social:github/ }

async function add(visitor: Visitor, name: string, provider: 'google' | 'github' | 'gitlab', user?: string) {
  await visitor.page.getByRole('button', { name: 'Add social account' }).click()
  await choose(await openWindow(visitor, provider), user)
  await visitor.signInDialog.agree(name)
}

function ways(visitor: Visitor) {
  return visitor.account.rows('Ways to sign in')
}

it('adds a social account, signs in with it, and unlinks social accounts except the last', async () => {
  const visitor = await visit('/', conflict)
  const { page, account, signInDialog } = visitor
  await signInWith(visitor, 'google', 'Cleo')
  await account.open()
  const unlink = page.getByRole('button', { name: 'Unlink cleo@people.example' })
  await expect.poll(() => unlink.getAttribute('aria-disabled')).toBe('true')
  await unlink.click({ force: true })
  await expect.poll(() => page.getByText('You will no longer sign in').count()).toBe(0)
  const why = page.getByText('This is your only way to sign in, so it cannot be removed.')
  await expect.poll(() => unlink.getAttribute('aria-describedby')).toBe(await why.getAttribute('id'))
  await add(visitor, 'cleo@people.example', 'github', 'Cleo')
  await page.getByText('Added to your account').waitFor()
  await expect.poll(() => ways(visitor)).toEqual(['cleo@people.example Google', 'cleo@people.example GitHub'])
  const id = await account.card('Profile').getByText('User id').locator('..').textContent()

  await account.signOut()
  await signInWith(visitor, 'github', 'Cleo')
  await account.open()
  await expect.poll(() => account.card('Profile').getByText('User id').locator('..').textContent()).toBe(id)

  // The account is already linked.
  await add(visitor, 'cleo@people.example', 'github', 'Cleo')
  await signInDialog.dialog.getByText('This account is already linked.').waitFor()
  await page.keyboard.press('Escape')
  await account.card('Ways to sign in').getByRole('listitem').filter({ hasText: 'Google' }).getByRole('button').click()
  await page
    .getByRole('group')
    .getByRole('button', { name: /^Unlink/ })
    .click()
  await expect.poll(() => ways(visitor)).toEqual(['cleo@people.example GitHub'])
})

it('a social account of another user is merged or stays with that user, as the user chooses', async () => {
  const visitor = await visit('/', conflict)
  const { page, account, signInDialog } = visitor
  await signInWith(visitor, 'github', 'Dan')
  await page.getByRole('button', { name: /^Signed in as/ }).waitFor()
  await account.signOut()
  await signInByCode(sandbox, visitor, 'other@example.com')
  await account.open()
  await add(visitor, 'other@example.com', 'github', 'dan')
  await page.getByRole('heading', { name: 'You have another account' }).waitFor()
  await signInDialog.dialog.getByRole('button', { name: 'Keep them apart' }).click()
  await page.keyboard.press('Escape')
  await signInDialog.dialog.waitFor({ state: 'hidden' })
  await expect.poll(() => ways(visitor)).toEqual(['other@example.com Email'])
  await add(visitor, 'other@example.com', 'github', 'dan')
  await signInDialog.dialog.getByRole('button', { name: 'Merge the two accounts' }).click()
  await expect.poll(() => ways(visitor)).toHaveLength(2)
})
