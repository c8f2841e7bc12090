import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { findViolations } from '../src/axe.js'
import { signInByCode } from '../src/flows-accounts.js'
import { createWallet, openSecurity, openWallets } from '../src/flows-waas.js'
import { walletFrame } from '../src/pages/wallet-frame.js'
import { setUpSandbox } from '../src/sandbox.js'

const sandbox = setUpSandbox({ accounts: {}, embeddedWallets: true })
const SCREENS = fileURLToPath(new URL('../.reports/screens', import.meta.url))

describe.each([
  { colours: 'light', width: 1280 },
  { colours: 'dark', width: 320 },
] as const)('in $colours at $width px', ({ colours, width }) => {
  it('axe finds nothing on any screen of one’s own wallets, and none is too wide', async () => {
    const visitor = await sandbox.visit('/wallets', { colorScheme: colours, viewport: { width, height: 800 } })
    const { page } = visitor
    const problems: string[] = []
    /** Looks at what the user sees now. */
    const look = async (name: string) => {
      const found = await findViolations(page)
      await page.screenshot({ path: `${SCREENS}/${colours}-${width}-${name.replaceAll(' ', '-')}.png`, fullPage: true })
      const [content = 0, room = 0] = await page.evaluate(() => [
        document.documentElement.scrollWidth,
        document.documentElement.clientWidth,
      ])
      if (content > room) problems.push(`${name}: ${content} px wide`)
      problems.push(...found.map(line => `${name}: ${line}`))
    }
    await look('wallets signed out')
    await signInByCode(sandbox, visitor, `ada+${colours}@example.com`)
    await openWallets(visitor)
    await page.getByText('You have no wallet yet').waitFor()
    await look('wallets none')
    await visitor.open('/wallets/import')
    await look('wallet import')
    await visitor.open('/wallets/new')
    await page.getByRole('radio', { name: '2 of 2' }).check()
    await look('wallet new')
    await page.getByRole('radio', { name: '3 of 5' }).check()
    await page.getByRole('button', { name: 'Create wallet' }).click()
    await walletFrame(page).screen.getByRole('heading', { name: 'Protect the backup' }).waitFor()
    await look('wallet window')
    await walletFrame(page).cancel()
    const { address } = await createWallet(visitor, { scheme: '3 of 5' })
    await look('wallet security')
    await openWallets(visitor)
    await page.getByRole('link', { name: /^Security of/ }).waitFor()
    await look('wallets one')
    await visitor.go('Overview')
    await page.getByRole('region', { name: 'Connected wallets' }).waitFor()
    await look('overview with a wallet of one’s own')
    await visitor.open('/wallets/GfJ3LHbCJS2dQ3nqvBDMPNSGkdjdGBpdPJAZVHZ9uB1W')
    await page.getByText('This is not one of your wallets').waitFor()
    await look('wallet of somebody else')
    expect(problems).toEqual([])
    await openSecurity(visitor, address)
  })
})

it('is made without a mouse', async () => {
  const visitor = await sandbox.visit()
  const { page } = visitor
  await signInByCode(sandbox, visitor, 'keys-only@example.com')
  await visitor.open('/wallets/new')
  await page.getByRole('radio', { name: '2 of 3' }).focus()
  await page.keyboard.press('ArrowDown')
  expect(await page.getByRole('radio', { name: '2 of 2' }).isChecked()).toBe(true)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Wallet security', level: 1 }).waitFor()
})
