import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { setUpSandbox } from '../src/sandbox.js'
import { inspectScreens, NARROW, WIDE } from '../src/screens.js'

const { visit } = setUpSandbox({ accounts: {} })

/** Buttons that open a dialog, with the heading of the dialog in Arabic where the kit words it. */
const DIALOGS: readonly (readonly [button: string, heading: string])[] = [
  ['Sign-in: all', 'تسجيل الدخول أو إنشاء حساب'],
  ['Prompt: Code by email', 'تحقق من بريدك'],
  ['Prompt: Second step', 'أكّد أنك أنت'],
  ['Prompt: Merge', 'لديك حساب آخر'],
  ['Prompt: Contact', 'رقم هاتفك'],
  ['Prompt: Provider’s window', 'Google'],
  ['Prompt: Provider’s question', 'Shopify'],
  ['Prompt: Choice', 'Which account?'],
]

async function closeDialog(page: Page) {
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
}

it.each([
  ['en', 'light'],
  ['ar', 'dark'],
] as const)(
  'no part of the kit has axe violations, and none is too wide, in the language %s and %s colours',
  async (locale, theme) => {
    const { page } = await visit('/catalogue')
    await page.getByLabel('Theme').selectOption(theme)
    await page.getByLabel('Language of the kit').selectOption(locale)
    const surface = page.locator('.catalogue')
    if (locale === 'ar') await expect.poll(() => surface.getAttribute('dir')).toBe('rtl')
    await expect.poll(() => surface.getAttribute('data-theme')).toBe(theme)
    const { inspect, problems } = inspectScreens(page, [
      { ...NARROW, colours: theme },
      { ...WIDE, colours: theme },
    ])
    await page.getByRole('button', { name: 'Remove it' }).click()
    await inspect(`kit ${locale}`)
    for (const tab of await page.getByRole('tab').all()) {
      await tab.click()
      await page.getByRole('tabpanel').locator('.keybay-card').waitFor()
      await inspect(`kit ${locale} ${await tab.getAttribute('data-tab')}`)
    }
    for (const [button, heading] of DIALOGS) {
      await page.getByRole('button', { name: button, exact: true }).click()
      const dialog = page.getByRole('dialog')
      await (locale === 'ar'
        ? dialog.getByRole('heading', { name: heading })
        : dialog.getByRole('heading').first()
      ).waitFor()
      if (locale === 'ar') expect(await dialog.getAttribute('dir')).toBe('rtl')
      await inspect(`kit ${locale} ${button.replace(/\W+/g, ' ')}`)
      await closeDialog(page)
    }
    expect(problems).toEqual([])
  },
)
