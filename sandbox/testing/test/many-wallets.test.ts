import { HOSTILE_MARK } from '@keybay/sandbox-wallets'
import { expect, it } from 'vitest'
import { activeAddress } from '../src/flows.js'
import { setUpSandbox } from '../src/sandbox.js'

const { visit } = setUpSandbox()

it('the content security policy blocks scripts that are not the app’s own', async () => {
  const { page } = await visit('/', { expectTrouble: /Content Security Policy/ })
  const refused = page.waitForEvent('console', message => message.text().includes('script-src'))
  await page.evaluate(mark => {
    const script = document.createElement('script')
    script.textContent = `globalThis.${mark} = true`
    document.head.append(script)
  }, HOSTILE_MARK)
  await refused
  expect(await page.evaluate(mark => Reflect.get(globalThis, mark), HOSTILE_MARK)).toBeUndefined()
})

it('[S1.16] finds one wallet among 1,000 next to hostile wallets, which run no script, and connects it', async () => {
  const visitor = await visit('/lab', { expectTrouble: /^\[keybay\] connect wallet-standard:hostile|ERR_UNSAFE_PORT/ })
  const { page, connectDialog } = visitor
  await page.getByRole('button', { name: 'Add hostile wallets' }).click()
  await connectDialog.open()
  await connectDialog.choose('Hostile: connect answers with nonsense')
  await connectDialog.dialog.getByText('shared no account.').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Add 1,000 wallets' }).click()
  await connectDialog.open()
  await connectDialog.search.fill('0777')
  await expect.poll(() => connectDialog.dialog.getByRole('button', { name: /^Test wallet/ }).count()).toBe(1)
  await connectDialog.choose('Test wallet 0777')
  await expect.poll(() => activeAddress(visitor)).toMatch(/^\w{32,44}$/)
  expect(await page.evaluate(mark => Reflect.get(globalThis, mark), HOSTILE_MARK)).toBeUndefined()
  await page.getByRole('button', { name: 'Remove 1,000 wallets' }).click()
  await page.getByRole('button', { name: 'Connect wallet', exact: true }).waitFor()
})
