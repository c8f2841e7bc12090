// @vitest-environment happy-dom
import {
  createKeybay,
  definePlugin,
  type Kernel,
  KeybayError,
  type LoginConnector,
  type PromptInput,
} from '@keybay/kernel'
import { KeybayProvider } from '@keybay/react'
import { getUntranslated } from '@keybay/react/testing'
import { loadMessages, ToastRegion, toast, type UiLocale, UiProvider } from '@keybay/react/ui'
import { createRoot } from 'react-dom/client'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { type HostToken, SignInDialog, type SignInOffer } from '../src/ui/index.js'

const ICON = 'data:image/svg+xml;base64,PHN2Zy8+'
const LOGINS: readonly (readonly [id: string, method: LoginConnector['method']])[] = [
  ['email', 'email'],
  ['phone', 'phoneNumber'],
  ['passkey', 'passkey'],
  ['social:google', 'oauth'],
  ['social:github', 'oauth'],
  ['social:acme', 'oauth'],
]
/** Names without Latin letters, so that a text that is not translated is told from them. */
const NAME = 'αβγ'

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
  localStorage.clear()
})

function openHost(status: 'anonymous' | 'authenticated' = 'anonymous', autofill = vi.fn(async () => undefined)) {
  let kernel: Kernel | undefined
  const connectors = LOGINS.map(
    ([id, method]): LoginConnector => ({
      kind: 'login',
      id,
      name: NAME,
      icon: ICON,
      readiness: 'ready',
      method,
      connect: () => new Promise(() => {}),
    }),
  )
  const user = { current: { status: 'none' }, subscribe: () => () => {} }
  const settings = new Promise<never>(() => {})
  const signInWithToken = vi.fn(async (_token: string) => ({ status }))
  const signIn = vi.fn((_id: string, _input?: unknown): Promise<unknown> => new Promise(() => {}))
  const api = { user, settings: () => settings, signInWithToken, signIn }
  const account = definePlugin({
    id: 'account',
    version: '0.1.0',
    setup(given) {
      kernel = given
      return { api, connectors }
    },
  })
  const passkey = definePlugin({ id: 'passkey', version: '0.1.0', setup: () => ({ api: { autofill } }) })
  const plugins = [account, passkey]
  const keybay = createKeybay({ appName: NAME, logLevel: 'silent', environmentId: 'test', plugins })
  closing.push(keybay.dispose)
  if (!kernel) throw new Error('setup did not run')
  return { keybay, kernel, signInWithToken, signIn }
}

interface ShowOptions {
  readonly offer?: SignInOffer
  readonly locale?: UiLocale
  readonly hostToken?: HostToken
}

function show({ keybay }: ReturnType<typeof openHost>, { offer, locale = 'pseudo', hostToken }: ShowOptions) {
  const root = createRoot(document.body.appendChild(document.createElement('main')))
  const onClose = vi.fn()
  closing.push(() => {
    root.unmount()
    document.body.replaceChildren()
  })
  root.render(
    <KeybayProvider keybay={keybay}>
      <UiProvider locale={locale}>
        <SignInDialog offer={offer} onClose={onClose} hostToken={hostToken} />
        <ToastRegion />
      </UiProvider>
    </KeybayProvider>,
  )
  return onClose
}

function dialog() {
  return document.querySelector('dialog[open]')
}

/** @param title of the pseudo-locale */
async function sees(title: string) {
  await expect.poll(() => dialog()?.querySelector('h2')?.textContent).toContain(title)
}

function click(text: string) {
  const button = [...document.querySelectorAll('button')].find(({ textContent }) => textContent?.includes(text))
  if (!button) throw new Error(`no button “${text}”`)
  button.click()
}

function getProviders() {
  return [...document.querySelectorAll<HTMLElement>('.keybay-social button')]
}

const EXAMPLES = [NAME, 'you@example.com', '+41 79 123 45 67']

beforeAll(async () => {
  for (const section of ['ui', 'sign-in', 'prompts']) await loadMessages('pseudo', section)
})

describe('the sign-in dialog in the pseudo-locale', () => {
  it.each(['all', 'email', 'phone', 'wallet', 'social'] as const)(
    'has no text without a translation: %s',
    async offer => {
      const host = openHost()
      host.signIn.mockRejectedValueOnce(new KeybayError({ code: 'user_rejected', message: NAME }))
      show(host, { offer, hostToken: { name: NAME, getToken: async () => '' } })
      await sees('⟦')
      if (offer === 'all') {
        click('Shów áll')
        click('Úsé á pásskéy')
        await expect.poll(() => dialog()?.textContent).toContain('Óthérs')
        await expect.poll(() => dialog()?.textContent).toContain('Créáté pásskéy')
      }
      expect(getUntranslated(document.body, EXAMPLES)).toEqual([])
    },
  )
  it('has no text without a translation while an attempt runs', async () => {
    show(openHost(), { offer: 'all' })
    await sees('Sígn ín ór sígn úp')
    click(NAME)
    await expect.poll(() => dialog()?.textContent).toContain('Óné mómént')
    expect(getUntranslated(document.body, EXAMPLES)).toEqual([])
  })
})

const HOUR_MS = 3_600_000
function later() {
  return new Promise<never>(() => {})
}
const prompts: readonly (readonly [title: string, ask: PromptInput])[] = [
  [
    'Chéck yóúr émáíl',
    {
      type: 'one-time-code',
      method: 'email',
      sentTo: NAME,
      digits: 6,
      expiresAt: Date.now() + HOUR_MS / 2,
      submit: later,
      resend: later,
    },
  ],
  [
    'Cónfírm thát ít ís yóú',
    {
      type: 'mfa',
      action: 'wallet.waas.sign',
      devices: [
        { id: '1', method: 'totp', name: 'Authenticator app' },
        { id: '2', method: 'email', name: 'Code by email' },
        { id: '3', method: 'passkey', name: NAME },
      ],
      challenge: async () => Date.now() + HOUR_MS / 2,
      submit: later,
    },
  ],
  ['Yóú hávé ánóthér áccóúnt', { type: 'merge-accounts', expiresAt: Date.now() + HOUR_MS }],
  ['Yóúr phóné númbér', { type: 'contact', method: 'phoneNumber' }],
  [NAME, { type: 'social-window', provider: 'google', name: NAME, focus() {} }],
  [
    NAME,
    { type: 'social-question', provider: 'acme', name: NAME, label: NAME, example: NAME, submit: () => undefined },
  ],
  [NAME, { type: 'choice', title: NAME, options: [{ id: '1', label: NAME }] }],
]

describe('the prompts in the pseudo-locale', () => {
  it.each(prompts)('the prompt “%s” opens the dialog, and has no text without a translation', async (title, ask) => {
    const host = openHost()
    show(host, {})
    const declined = host.kernel.prompt(ask).catch(({ code }) => code)
    await sees(title)
    expect(getUntranslated(document.body, EXAMPLES)).toEqual([])
    document.querySelector<HTMLElement>('.keybay-close')?.click()
    expect(await declined).toBe('user_rejected')
  })
})

describe('the sign-in dialog', () => {
  it('[S1.6] signs in with a token that the host issues', async () => {
    const host = openHost()
    const onClose = show(host, {
      offer: 'all',
      locale: 'en',
      hostToken: { name: 'Acme', getToken: async () => 'a.b.c' },
    })
    await sees('Sign in or sign up')
    click('Continue with Acme')
    await expect.poll(() => onClose.mock.calls.length).toBe(1)
    expect(host.signInWithToken.mock.calls[0]?.[0]).toBe('a.b.c')
  })
  it('marks the way that signed the user in last, and moves its provider to the front', async () => {
    const host = openHost()
    host.signIn.mockResolvedValueOnce({ status: 'authenticated' })
    const onClose = show(host, { offer: 'all', locale: 'en' })
    await sees('Sign in or sign up')
    click('Show all 3')
    await expect.poll(() => getProviders()).toHaveLength(3)
    getProviders()[1]?.click()
    await expect.poll(() => onClose.mock.calls.length).toBe(1)
    for (const close of closing.splice(-1)) close()
    show(host, { offer: 'all', locale: 'en' })
    await sees('Sign in or sign up')
    expect(getProviders().map(({ textContent }) => textContent)).toEqual([`${NAME}Last used`, NAME])
    const [last] = getProviders()
    expect(last?.getAttribute('aria-description')).toBe('Last used')
    // The mark is not part of the button's name.
    expect(last?.querySelector('[aria-hidden="true"].keybay-tag')?.textContent).toBe('Last used')
    expect(Object.entries(localStorage).filter(([key]) => key.includes('recent'))).toEqual([
      ['keybay:test:recent:sign-in', '["social:github"]'],
    ])
  })
  it('does not remember a way that failed', async () => {
    const host = openHost()
    host.signIn.mockRejectedValueOnce(new KeybayError({ code: 'user_rejected', message: NAME }))
    show(host, { offer: 'all', locale: 'en' })
    await sees('Sign in or sign up')
    getProviders()[0]?.click()
    await expect.poll(() => dialog()?.textContent).toContain('Not signed in.')
    expect(localStorage.getItem('keybay:test:recent:sign-in')).toBeNull()
  })
  it('has one button for passkeys, which signs in at once where the browser has one, and else offers to create one', async () => {
    const host = openHost()
    const none = new KeybayError({ code: 'user_rejected', message: NAME })
    host.signIn.mockRejectedValueOnce(none).mockResolvedValueOnce({ status: 'authenticated' })
    const onClose = show(host, { offer: 'all', locale: 'en' })
    await sees('Sign in or sign up')
    click('Use a passkey')
    await expect.poll(() => document.activeElement?.textContent).toBe('Sign in with a passkey')
    click('Create passkey')
    await expect.poll(() => onClose.mock.calls.length).toBe(1)
    expect(host.signIn.mock.calls.map(call => call.slice(0, 2))).toEqual([
      ['passkey', { immediate: true }],
      ['passkey', expect.objectContaining({ signUp: true })],
    ])
    for (const close of closing.splice(-1)) close()
    localStorage.clear()
    host.signIn.mockResolvedValueOnce({ status: 'authenticated' })
    const onCloseAgain = show(host, { offer: 'all', locale: 'en' })
    await sees('Sign in or sign up')
    click('Use a passkey')
    await expect.poll(() => onCloseAgain.mock.calls.length).toBe(1)
    expect(localStorage.getItem('keybay:test:recent:sign-in')).toBe('["passkey"]')
  })
  it('signs in with a passkey in the browser’s window where one was used before', async () => {
    localStorage.setItem('keybay:test:recent:sign-in', '["passkey"]')
    const host = openHost()
    host.signIn.mockRejectedValueOnce(new KeybayError({ code: 'user_rejected', message: NAME }))
    show(host, { offer: 'all', locale: 'en' })
    await sees('Sign in or sign up')
    click('Use a passkey')
    await expect.poll(() => dialog()?.textContent).toContain('Not signed in.')
    click('Create passkey')
    expect(host.signIn.mock.calls.map(call => call.slice(0, 2))).toEqual([
      ['passkey', undefined],
      ['passkey', expect.objectContaining({ signUp: true })],
    ])
  })
  it('says why no passkey could be used, and still offers to create one', async () => {
    const host = openHost()
    host.signIn.mockRejectedValueOnce(new KeybayError({ code: 'request_failed', message: 'The service is away' }))
    show(host, { offer: 'all', locale: 'en' })
    await sees('Sign in or sign up')
    click('Use a passkey')
    await expect.poll(() => document.querySelector('.keybay-toast-bad')?.textContent).toContain('The service is away')
    document.querySelector<HTMLElement>('.keybay-toast-bad button')?.click()
    click('Create passkey')
  })
  it('shows the host’s own providers after the known ones', async () => {
    show(openHost(), { offer: 'social', locale: 'en' })
    await sees('Add a social account')
    click('Show all 3')
    await expect
      .poll(() => [...(dialog()?.querySelectorAll('h4') ?? [])].map(({ textContent }) => textContent))
      .toEqual(['Code', 'Others'])
  })
})

describe('passkeys that the browser offers in the address field', () => {
  it.each([
    ['webauthn_unsupported', 0],
    ['invalid_passkey', 1],
  ])('report an error of %s in %i messages', async (code, count) => {
    const failed = vi.fn(async () => {
      throw new KeybayError({ code, message: NAME })
    })
    show(openHost('anonymous', failed), { offer: 'all' })
    await sees('Sígn ín')
    await expect.poll(() => failed.mock.settledResults.length).toBe(1)
    toast('later')
    await expect.poll(() => document.querySelector('main')?.textContent).toContain('later')
    expect(document.querySelectorAll('.keybay-toast-bad')).toHaveLength(count)
  })
})
