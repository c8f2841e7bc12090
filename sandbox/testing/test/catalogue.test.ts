import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { findViolations } from '../src/axe.js'
import { comparePictures } from '../src/pictures.js'
import { setUpSandbox } from '../src/sandbox.js'
import { inspectScreens, NARROW, WIDE } from '../src/screens.js'
import { settled } from '../src/settled.js'

const sandbox = setUpSandbox({ accounts: {} })

/** Buttons that open a dialog, with the heading of the dialog in Arabic where the kit words it. */
const DIALOGS: readonly (readonly [button: string, heading: string])[] = [
  ['Connect dialog', 'Connect a wallet'],
  ['Sign-in: all', 'تسجيل الدخول أو إنشاء حساب'],
  ['Sign-in: email', 'إضافة بريد إلكتروني'],
  ['Sign-in: phone', 'إضافة رقم هاتف'],
  ['Sign-in: wallet', 'إضافة محفظة'],
  ['Sign-in: social', 'إضافة حساب اجتماعي'],
  ['Prompt: Code by email', 'تحقق من بريدك'],
  ['Prompt: Wrong code', 'تحقق من هاتفك'],
  ['Prompt: Second step', 'أكّد أنك أنت'],
  ['Prompt: Second step by passkey', 'أكّد أنك أنت'],
  ['Prompt: Second step by recovery code', 'أكّد أنك أنت'],
  ['Prompt: Second step not available', 'أكّد أنك أنت'],
  ['Prompt: Merge', 'لديك حساب آخر'],
  ['Prompt: Contact', 'رقم هاتفك'],
  ['Prompt: Contact with an error', 'بريدك الإلكتروني'],
  ['Prompt: Provider’s window', 'Google'],
  ['Prompt: Provider’s question', 'Shopify'],
  ['Prompt: Unknown', 'يطلب هذا التطبيق شيئًا'],
  ['Prompt: Link', 'هل تضيف طريقة الدخول هذه إلى حساب'],
  ['Prompt: Choice', 'Which account?'],
]
const STATES = [
  'buttons',
  'fields',
  'feedback',
  'lists',
  'no-backup',
  'fragile',
  'stale',
  'unverified',
  'badges',
  'second-device',
  'second-device-only',
  'back-up-first',
  'back-up-elsewhere',
  'signing',
  'signing-consent',
  'signing-steps',
  'signing-failed',
  'signing-done',
  'no-account',
  'tokens',
]
interface Shown {
  /** Name of the picture. Default: the state. */
  readonly name?: string
  readonly state: string
  /** Text that shows before the user presses: what appears later would move the button away from the click. */
  readonly ready?: string
  /** Buttons that the user presses there. */
  readonly press?: readonly string[]
  /** Code that the user then types. */
  readonly code?: string
  /** Text that shows once all is loaded. */
  readonly until?: string
  /** Part of the view that the picture shows. Default: all of it. */
  readonly part?: string
}
const SUBMIT = ['button[type=submit]']
const FILLED = ':has(.keybay-came) .keybay-rule bdi'
const PRIMARY = ['.keybay-button-primary']
const SANDBOX_WALLET = ['button:has-text("Sandbox Wallet")']
const MFA = '.keybay-card >> nth=2'
const TOTP = [`${MFA} >> button >> nth=0`]
/** States that show one at a time: each replaces what the user or the network would say. */
const SHOWN: readonly Shown[] = [
  { state: 'profile' },
  { state: 'profile-loading' },
  { state: 'profile-failed' },
  { state: 'deletion' },
  { state: 'security' },
  { state: 'security', name: 'security-remove', press: ['.keybay-item-actions button'], part: '.keybay-card >> nth=0' },
  { state: 'security', name: 'security-app', press: TOTP, until: 'svg.qr', part: MFA },
  { state: 'security', name: 'security-codes', press: TOTP, code: '123456', until: '.keybay-codes', part: MFA },
  { state: 'security-advanced', until: '.keybay-card >> nth=6' },
  {
    state: 'security-advanced',
    name: 'security-delete',
    press: ['.keybay-button-danger >> nth=-1'],
    until: '.keybay-bullets',
    part: '.keybay-card >> nth=6',
  },
  { state: 'sign-in-waiting', press: SANDBOX_WALLET, until: '.keybay-attempt' },
  { state: 'sign-in-failed', press: ['button:has-text("Google")'], until: '.keybay-attempt .keybay-notice' },
  { state: 'sign-in-down', until: '.keybay-notice' },
  { state: 'sign-in-host-token', until: 'button:has-text("Acme")' },
  { state: 'verify', until: 'input' },
  { state: 'verify-loading' },
  { state: 'send-filled', until: FILLED },
  { state: 'send-wrong' },
  { state: 'send-warning', until: ':has(.keybay-came) .keybay-notice' },
  { state: 'send-token', until: ':has(.keybay-rule bdi) .keybay-notice' },
  {
    state: 'send-again',
    ready: FILLED,
    press: SUBMIT,
    until: ':has(.keybay-came):has(.keybay-rule bdi) .keybay-notice',
  },
  { state: 'send-waiting', ready: FILLED, press: SUBMIT, until: '.keybay-progress-doing' },
  {
    state: 'send-failed',
    ready: FILLED,
    press: SUBMIT,
    until: ':has(.keybay-came):has(.keybay-rule bdi) .keybay-progress-failed',
  },
  { state: 'send-done', ready: FILLED, press: SUBMIT, until: '.keybay-progress-done >> nth=4' },
  { state: 'tokens-listed' },
  { state: 'tokens-loading' },
  { state: 'tokens-failed' },
  { state: 'activity-listed' },
  { state: 'activity-loading' },
  { state: 'activity-failed' },
  { state: 'network-own' },
  { state: 'backup-gate-loading' },
  { state: 'backup-waiting', press: PRIMARY },
  { state: 'backup-failed', press: PRIMARY, until: '.keybay-notice-bad' },
  { state: 'second-device-waiting', press: PRIMARY },
  { state: 'second-device-failed', press: PRIMARY, until: '.keybay-notice-bad' },
  { state: 'connect-none' },
  { state: 'connect-waiting', press: SANDBOX_WALLET },
  { state: 'connect-failed', press: SANDBOX_WALLET },
  { state: 'connect-wordy', press: SANDBOX_WALLET },
  { state: 'account-menu', press: ['button'], part: '.keybay-menu' },
]
const IN_DIALOG = /^(sign-in|verify|connect)/
/** States that show before pictures are taken: each loads the code and texts of its view, and `send-done` leaves a recent recipient. */
const FIRST = ['profile', 'deletion', 'security', 'sign-in-waiting', 'send-done', 'activity-listed', 'network-own']

/** Each theme of each language, by a state with few words and one with many. */
const OTHER_LOOKS = [
  ['en', 'dark', 'feedback'],
  ['en', 'dark', 'send-filled'],
  ['en', 'dark', 'security-app'],
  ['es', 'light', 'second-device'],
  ['es', 'dark', 'no-backup'],
  ['ar', 'light', 'second-device'],
] as const

/** Title in the state `second-device`, whose texts load after the language is chosen. */
const TITLES = {
  en: 'Your wallet is on another device',
  es: 'Tu billetera está en otro dispositivo',
  ar: 'محفظتك على جهاز آخر',
} as const

/** Letters and words that are only in texts of the language. */
const LETTERS = { es: /billetera/, ar: /[\u0600-\u06ff]/, pseudo: /⟦/ } as const

async function choose(page: Page, locale: keyof typeof TITLES, theme: string) {
  await page.getByLabel('Theme').selectOption(theme)
  await page.getByLabel('Language of the kit').selectOption(locale)
  await page.locator(`.catalogue[lang=${locale}][data-theme=${theme}]`).waitFor()
  await getState(page, 'second-device').getByRole('heading', { name: TITLES[locale] }).waitFor()
}

/** Hides all other states: layout, axe and pictures of the whole page take twice the time. */
async function showOnly(page: Page, name: string) {
  await page.evaluate(name => {
    for (const state of document.querySelectorAll<HTMLElement>('[data-state]'))
      state.hidden = state.dataset.state !== name
  }, name)
}

function getView(page: Page, { state }: Shown) {
  return IN_DIALOG.test(state) ? page.getByRole('dialog') : getState(page, 'shown')
}

/** Removes all other states for good: axe and the search for buttons take half of the time without them. */
async function keepOnly(page: Page, name: string) {
  await page.evaluate(name => {
    for (const state of document.querySelectorAll<HTMLElement>('[data-state]')) {
      state.hidden = false
      if (state.dataset.state !== name) state.remove()
    }
  }, name)
}

/** Shows a state, and returns what the picture shows of it. */
async function show(page: Page, shown: Shown) {
  const { state, ready, press = [], code, until, part } = shown
  await page.getByRole('button', { name: `Show: ${state}`, exact: true }).click()
  const view = getView(page, shown)
  if (ready !== undefined) await view.locator(ready).first().waitFor()
  for (const button of press) await view.locator(button).first().click()
  if (code !== undefined) await view.locator('.keybay-code-input').fill(code)
  if (until !== undefined) await view.locator(until).first().waitFor()
  return part === undefined ? view : view.locator(part)
}

async function closeDialog(page: Page) {
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
}

function getState(page: Page, name: string) {
  return page.locator(`[data-state=${name}]`)
}

it.each([
  ['en', 'light', WIDE],
  ['ar', 'dark', NARROW],
] as const)(
  'no part of the kit has axe violations, is too wide, or looks different, in the language %s and %s colours',
  async (locale, theme, look) => {
    const { page } = await sandbox.visit('/catalogue')
    await choose(page, locale, theme)
    const pictures = await comparePictures(page)
    // Axe takes most of the time, so it sees one width of each language and colours.
    const looks = [NARROW, WIDE].map(each => ({ ...each, colours: theme, withoutAxe: each !== look }))
    const { inspect, problems } = inspectScreens(page, looks)
    await page.getByRole('button', { name: 'Remove it' }).click()
    await inspect(`kit ${locale}`)
    for (const name of STATES) {
      await showOnly(page, name)
      await pictures.compare(`${locale}-${theme}-${name}`, getState(page, name))
    }
    await keepOnly(page, 'panel')
    for (const tab of await page.getByRole('tab').all()) {
      await tab.click()
      await page.getByRole('tabpanel').locator('.keybay-card').waitFor()
      const name = await tab.getAttribute('data-tab')
      // What is left to send comes from the network.
      if (name === 'send')
        await page
          .getByRole('tabpanel')
          .getByText(/0\.0014616.SOL/)
          .waitFor()
      await inspect(`kit ${locale} ${name}`, { part: '[data-state=panel]' })
      await pictures.compare(`${locale}-${theme}-${name}`, getState(page, 'panel'))
    }
    for (const [button, heading] of DIALOGS) {
      // Each dialog shows one moment, so that the time left looks the same in each picture.
      await page.clock.setFixedTime(new Date())
      await page.getByRole('button', { name: button, exact: true }).click()
      const dialog = page.getByRole('dialog')
      await (locale === 'ar'
        ? dialog.getByRole('heading', { name: heading })
        : dialog.getByRole('heading').first()
      ).waitFor()
      if (locale === 'ar') await expect.poll(() => dialog.getAttribute('dir')).toBe('rtl')
      if (button === 'Prompt: Wrong code') {
        const code = dialog.getByRole('textbox')
        await code.fill('000000')
        await code.and(dialog.locator('[aria-invalid=true]')).waitFor()
      }
      const name = button.replace(/\W+/g, ' ')
      await inspect(`kit ${locale} ${name}`)
      await pictures.compare(`${locale}-${theme}-${name.toLowerCase().replaceAll(' ', '-')}`, dialog)
      await closeDialog(page)
    }
    for (const name of ['Toast', 'Toast: error']) await page.getByRole('button', { name, exact: true }).click()
    await page.evaluate(() => scrollTo(0, 0))
    await pictures.compare(`${locale}-${theme}-toasts`, page.locator('.keybay-toasts'))
    await inspect(`kit ${locale} toasts`, { part: '.keybay-toasts' })
    expect([...problems, ...pictures.problems].join('\n')).toBe('')
  },
)

it.each([
  ['en', 'light', WIDE],
  ['ar', 'dark', NARROW],
] as const)(
  'no state of the views has axe violations, is too wide, or looks different, in the language %s and %s colours',
  async (locale, theme, look) => {
    const { page } = await sandbox.visit('/catalogue', {
      timezoneId: 'UTC',
      prepare: context => context.clock.setFixedTime('2026-01-15T12:00:00Z'),
    })
    await choose(page, locale, theme)
    const pictures = await comparePictures(page)
    const { inspect, problems } = inspectScreens(page, [{ ...look, colours: theme }])
    await keepOnly(page, 'shown')
    // Code and texts load first, so that pictures need not wait for them.
    for (const shown of SHOWN.filter(({ state, name = state }) => FIRST.includes(name))) {
      await show(page, shown)
      const letters = locale === 'ar' ? LETTERS.ar : /\w/
      await expect.poll(() => getView(page, shown).textContent()).toMatch(letters)
      // The letters may still be those of the state before.
      await settled(page)
      if (IN_DIALOG.test(shown.state)) await closeDialog(page)
    }
    const late: string[] = []
    page.on('request', request => request.resourceType() === 'script' && late.push(request.url()))
    for (const [index, shown] of SHOWN.entries()) {
      const { state, name = state } = shown
      const view = await show(page, shown)
      // Each in one of the two looks, because that takes most of the time.
      if (index % 2 === (look === NARROW ? 0 : 1))
        await inspect(`kit ${locale} ${name}`, { part: '[data-state=shown]' })
      await pictures.compare(`${locale}-${theme}-${name}`, view)
      if (IN_DIALOG.test(state)) await closeDialog(page)
    }
    expect([...problems, ...pictures.problems].join('\n')).toBe('')
    // Else a state of FIRST is missing.
    expect(late).toEqual([])
  },
)

it('has a picture of each state of the catalogue', async () => {
  const { page } = await sandbox.visit('/catalogue')
  const states = await page
    .locator('[data-state]')
    .evaluateAll(all => all.map(state => state.getAttribute('data-state')))
  expect(states.sort()).toEqual([...STATES, 'panel'].sort())
  const buttons = await page.getByRole('button', { name: /^Show: / }).allTextContents()
  expect(buttons.sort()).toEqual([...new Set(SHOWN.map(({ state }) => `Show: ${state}`))].sort())
})

it('no part of the kit looks different in the other themes and languages', async () => {
  const { page } = await sandbox.visit('/catalogue')
  const { compare, problems } = await comparePictures(page)
  for (const [locale, theme, name] of OTHER_LOOKS) {
    await choose(page, locale, theme)
    const shown = SHOWN.find(({ state, name: other = state }) => other === name)
    await compare(`${locale}-${theme}-${name}`, shown ? await show(page, shown) : getState(page, name))
  }
  expect(problems.join('\n')).toBe('')
})

it('a language loads alone', async () => {
  const scripts: string[] = []
  const { page } = await sandbox.visit('/catalogue', {
    prepare: async context => {
      context.on('response', async response => {
        if (response.request().resourceType() === 'script') scripts.push(await response.text())
      })
    },
  })
  const listLoaded = () =>
    Object.entries(LETTERS).flatMap(([locale, letters]) => (scripts.some(text => letters.test(text)) ? [locale] : []))
  await getState(page, 'second-device').getByRole('heading', { name: TITLES.en }).waitFor()
  expect(listLoaded()).toEqual([])
  await choose(page, 'es', 'light')
  await expect.poll(listLoaded).toEqual(['es'])
  await choose(page, 'ar', 'light')
  await expect.poll(listLoaded).toEqual(['es', 'ar'])
  await page.getByLabel('Language of the kit').selectOption('pseudo')
  await getState(page, 'second-device').getByRole('heading', { name: 'Yóúr wállét' }).waitFor()
  await expect.poll(listLoaded).toEqual(['es', 'ar', 'pseudo'])
})

it('what was used last has no axe violations, and looks no different', async () => {
  const { page } = await sandbox.visit('/catalogue', {
    initScript: () => {
      if (!isSecureContext) return
      localStorage.setItem('keybay:local:recent:sign-in', '["passkey"]')
      const wallet = 'So11111111111111111111111111111111111111112'
      localStorage.setItem(`keybay:local:user:sent:104:${wallet}`, '["9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM"]')
      localStorage.setItem('keybay:local:recent:connect', '["wallet-standard:sandbox-wallet"]')
    },
  })
  const { compare, problems } = await comparePictures(page)
  await page.getByRole('tab', { name: 'Send' }).click()
  await page.getByText('9WzDXwBb').waitFor()
  await page.getByText('SOL available').waitFor()
  await compare('en-light-send-recent', getState(page, 'panel'))
  await page.getByLabel('Destination').fill('9WzDq1Jt5pLAWqDWDwTBhRmTPUJbE8GSAPWtp8QbAWWM')
  await page.getByText('You have not sent to this address before.').waitFor()
  await compare('en-light-send-look-alike', getState(page, 'panel'))
  for (const [button, name, ...loaded] of [
    ['Sign-in: all', 'sign-in', 'Last used'],
    ['Connect dialog', 'connect', 'Last used', 'My wallet is on my phone'],
  ] as const) {
    await page.getByRole('button', { name: button, exact: true }).click()
    const dialog = page.getByRole('dialog')
    for (const text of loaded) await dialog.getByText(text).waitFor()
    expect(await findViolations(page)).toEqual([])
    await compare(`en-light-${name}-last-used`, dialog)
    await closeDialog(page)
  }
  expect(problems.join('\n')).toBe('')
})

const COLOURS = 'surface raised line ink ink-soft accent on-accent good warn error backdrop'.split(' ')
/** Each variable of the theme, with a value that no style sheet has. */
const THEME: Readonly<Record<string, string>> = {
  font: '"Theme font"',
  radius: '7.25px',
  ...Object.fromEntries(COLOURS.map((name, index) => [name, `rgb(1, 2, ${index + 3})`])),
}
/** Runs in the page: returns the values that no element has once they are the theme's. */
function listUnused(theme: Readonly<Record<string, string>>): readonly string[] {
  for (const [name, value] of Object.entries(theme))
    document.documentElement.style.setProperty(`--keybay-${name}`, value)
  const styles = [...document.querySelectorAll('*')].flatMap(element => [
    getComputedStyle(element),
    getComputedStyle(element, '::backdrop'),
  ])
  const used = new Set(
    styles.flatMap(style => [
      style.fontFamily,
      style.borderTopLeftRadius,
      style.color,
      style.backgroundColor,
      style.borderTopColor,
    ]),
  )
  return Object.keys(theme).filter(name => !used.has(theme[name] ?? ''))
}

it('what a dialog shows fades out further up while there is more below, and shows each variable of the theme', async () => {
  const { page } = await sandbox.visit('/catalogue', { viewport: { width: 375, height: 500 } })
  await page.getByRole('button', { name: 'Sign-in: all', exact: true }).click()
  const body = page.locator('dialog[open] .keybay-dialog-body')
  const getFade = () => body.evaluate(element => getComputedStyle(element).getPropertyValue('--keybay-fade'))
  await expect.poll(getFade).toBe('48px')
  // Again until nothing more loads: a part that comes later makes the dialog longer.
  const scrollDown = () => body.evaluate(element => element.scrollTo(0, element.scrollHeight))
  await expect.poll(() => scrollDown().then(getFade)).toBe('16px')
  await expect.poll(() => page.evaluate(listUnused, THEME)).toEqual([])
})

it('a dialog keeps its choices in place when it says what it waits for, or why it failed at any length, in each language', async () => {
  const { page } = await sandbox.visit('/catalogue')
  const dialog = page.getByRole('dialog')
  const wallet = dialog.getByRole('button', { name: 'Sandbox Wallet' })
  const message = dialog.getByRole('status').locator('p')
  for (const [state, locale, words] of [
    ['connect-waiting', 'en', /^Confirm in/],
    ['connect-failed', 'en', /respond/],
    ['connect-wordy', 'en', /store data/],
    ['connect-wordy', 'es', /cookies/],
    ['connect-wordy', 'ar', LETTERS.ar],
    ['connect-wordy', 'pseudo', LETTERS.pseudo],
  ] as const) {
    await page.getByLabel('Language of the kit').selectOption(locale)
    for (const width of [1280, 320]) {
      await page.setViewportSize({ width, height: 800 })
      await page.getByRole('button', { name: `Show: ${state}`, exact: true }).click()
      await wallet.waitFor()
      await settled(page)
      const before = await wallet.boundingBox()
      await wallet.click()
      await message.filter({ hasText: words }).waitFor()
      await expect.poll(() => wallet.boundingBox()).toEqual(before)
      if (state === 'connect-wordy' && width === 320) {
        // The keyboard reaches the text, and scrolls to its end.
        await expect.poll(() => message.evaluate(({ tabIndex }) => tabIndex)).toBe(0)
        await message.press('End')
        await expect
          .poll(() => message.evaluate(text => text.scrollHeight - text.clientHeight - text.scrollTop))
          .toBeLessThan(1)
        expect(await findViolations(page)).toEqual([])
      }
      await closeDialog(page)
    }
  }
})

it('a dialog closes animated unless the user prefers reduced motion', async () => {
  const { page } = await sandbox.visit('/catalogue')
  const dialog = page.getByRole('dialog')
  for (const [reducedMotion, isAnimated] of [
    ['no-preference', true],
    ['reduce', false],
  ] as const) {
    await page.emulateMedia({ reducedMotion })
    await page.getByRole('button', { name: 'Prompt: Merge', exact: true }).click()
    await dialog.getByRole('heading').waitFor()
    // At once, because the motion may be over with the next command.
    const leaving = await page.evaluate(() => {
      const dialog = document.querySelector<HTMLDialogElement>('dialog[open]')
      dialog?.close()
      return { isAnimated: dialog?.getAnimations().length !== 0, text: dialog?.textContent }
    })
    expect(leaving).toEqual({ isAnimated, text: expect.stringContaining('You have another account') })
    await page.getByRole('dialog', { includeHidden: true }).getByRole('heading').waitFor({ state: 'detached' })
  }
})
