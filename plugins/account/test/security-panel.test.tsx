// @vitest-environment happy-dom
import { createKeybay, definePlugin, type Kernel } from '@keybay/kernel'
import { KeybayProvider } from '@keybay/react'
import { getUntranslated } from '@keybay/react/testing'
import { loadMessages, type UiLocale, UiProvider } from '@keybay/react/ui'
import type { ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import type { MfaEnrolment } from '../src/api.js'
import { DeletionNotice, ProfileCard, SecurityPanel, type SecurityPanelProps } from '../src/ui/index.js'
import type { SecurityEvent, User, UserSession } from '../src/user.js'

/** A name without Latin letters, so that a text that is not translated is told from it. */
const NAME = 'αβγ'
const AT = { createdAt: 0, lastUsedAt: 0 } as const
const USER: User = {
  id: '1',
  username: null,
  email: '1@1.1',
  phoneNumber: null,
  metadata: {},
  step: 'done',
  createdAt: 0,
  lastSignInAt: 0,
  credentials: [
    { id: '1', method: 'email', email: '1@1.1', ...AT },
    { id: '2', method: 'blockchain', address: '1'.repeat(32), walletName: NAME, ...AT },
    { id: '3', method: 'passkey', name: NAME, ...AT },
    { id: '4', method: 'phoneNumber', phoneNumber: '+41 79', ...AT },
  ],
  mfa: { devices: [{ id: '5', method: 'totp', name: 'Authenticator app', createdAt: 0 }], recoveryCodes: 2 },
}
const SESSIONS: readonly UserSession[] = [
  { id: '1', current: true, method: 'email', userAgent: NAME, expiresAt: 0, ...AT },
  { id: '2', current: false, method: 'passkey', userAgent: NAME, expiresAt: 0, ...AT },
]
const EVENTS: readonly SecurityEvent[] = [
  { id: '1', kind: 'factor-added', at: 0, device: NAME, network: null, detail: NAME },
  { id: '2', kind: 'a-kind-of-tomorrow', at: 0, device: null, network: null, detail: null },
  // As the API says it: codes of methods and factors, and English.
  { id: '3', kind: 'new-device', at: 0, device: `${NAME} on ${NAME}`, network: null, detail: 'phoneNumber' },
  { id: '4', kind: 'factor-removed', at: 0, device: null, network: null, detail: 'totp' },
]

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})
beforeAll(async () => {
  for (const section of ['ui', 'profile', 'security', 'protection']) await loadMessages('pseudo', section)
})

function openHost(user: User = USER) {
  const enrolment: MfaEnrolment = {
    device: { id: '6', method: 'totp', name: 'Authenticator app' },
    totp: { secret: '234', uri: '1' },
    expiresAt: 0,
    confirm: async () => ({ recoveryCodes: ['12345'] }),
  }
  const state = { status: 'ready', user } as const
  const api = {
    user: { current: state, subscribe: () => () => {}, refresh: async () => user },
    settings: async () => ({ signIn: {}, mfa: { methods: ['totp', 'email', 'passkey'] } }),
    sessions: async () => SESSIONS,
    securityLog: async () => ({ events: EVENTS, next: '2' }),
    mfa: { add: async () => enrolment },
    unlink: vi.fn(async (_id: string) => {}),
    deleteUser: vi.fn(async () => {}),
    restoreUser: vi.fn(async () => user),
    updateUser: vi.fn(async (_patch: unknown) => user),
  }
  let kernel: Kernel | undefined
  const account = definePlugin({
    id: 'account',
    version: '0.1.0',
    setup(given) {
      kernel = given
      return { api }
    },
  })
  const keybay = createKeybay({ appName: NAME, logLevel: 'silent', environmentId: 'test', plugins: [account] })
  closing.push(keybay.dispose)
  if (!kernel) throw new Error('setup did not run')
  kernel.session.set({ status: 'authenticated', userId: user.id })
  return { keybay, api }
}

function render({ keybay }: ReturnType<typeof openHost>, view: ReactNode, locale: UiLocale) {
  const root = createRoot(document.body.appendChild(document.createElement('main')))
  closing.push(() => {
    root.unmount()
    document.body.replaceChildren()
  })
  root.render(
    <KeybayProvider keybay={keybay}>
      <UiProvider locale={locale}>{view}</UiProvider>
    </KeybayProvider>,
  )
}

function show(host: ReturnType<typeof openHost>, props: Partial<SecurityPanelProps> = {}, locale: UiLocale = 'pseudo') {
  const onAdd = vi.fn()
  render(host, <SecurityPanel onAdd={onAdd} {...props} />, locale)
  return onAdd
}

/** Types into the field of the page. */
function type(value: string) {
  const input = document.querySelector<HTMLInputElement>('input')
  if (!input) throw new Error('no field')
  // React ignores a value that was set on its own wrapper of the property.
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, value)
  input.dispatchEvent(new Event('input', { bubbles: true }))
}

async function sees(text: string) {
  await expect.poll(() => document.body.textContent).toContain(text)
}

/** Presses the button with this text or label. */
function press(name: string) {
  const button = [...document.querySelectorAll('button')].find(
    found => found.getAttribute('aria-label') === name || found.textContent === name,
  )
  if (!button) throw new Error(`no button “${name}”`)
  button.click()
}

function getTitles() {
  return [...document.querySelectorAll('h2')].map(({ textContent }) => textContent)
}

const SIMPLE = ['Ways to sign in', 'Passkeys', 'Two-step sign-in']
const ADVANCED = [...SIMPLE, 'Sessions', 'Security log', 'Your data', 'Delete account']
/** Dates and units are those of the browser. */
const MONTHS = Array.from({ length: 12 }, (_, month) =>
  new Date(2026, month).toLocaleString('en-GB', { month: 'long' }),
)
const DATA = [NAME, ...MONTHS, 'Jan']

describe('the security panel', () => {
  it('shows the simple level, and the advanced one on request', async () => {
    const onAdd = show(openHost(), {}, 'en')
    await expect.poll(getTitles).toEqual(SIMPLE)
    press('Add email')
    expect(onAdd.mock.calls).toEqual([['email']])
    press('Show all settings')
    await expect.poll(getTitles).toEqual(ADVANCED)
    press('Show fewer settings')
    await expect.poll(getTitles).toEqual(SIMPLE)
  })
  it('unlinks a credential after the user confirms it', async () => {
    const host = openHost()
    show(host, {}, 'en')
    await sees('Ways to sign in')
    press('Unlink 1@1.1')
    await sees('You will no longer sign in with 1@1.1.')
    press('Unlink 1@1.1')
    await expect.poll(() => host.api.unlink.mock.calls.map(([id]) => id)).toEqual(['1'])
  })
  it('deletes the account once the user has typed the word, and tells the host', async () => {
    const host = openHost()
    const onDeleted = vi.fn()
    show(host, { level: 'advanced', onDeleted, slots: { losses: user => <p>{`Lost by ${user.id}`}</p> } }, 'en')
    await sees('Delete account')
    press('Delete account')
    await sees('Lost by 1')
    press('Delete my account')
    await sees('Type “delete” to go on.')
    expect(host.api.deleteUser).not.toHaveBeenCalled()
    type('Delete')
    press('Delete my account')
    await expect.poll(() => onDeleted.mock.calls.length).toBe(1)
  })
})

describe('the security panel in the pseudo-locale', () => {
  it('has no text without a translation', async () => {
    show(openHost(), { level: 'advanced' })
    await sees('⟦Délété áccóúnt⟧')
    await expect.poll(() => document.querySelectorAll('.keybay-item')).toHaveLength(4 + 1 + 2 + 4)
    expect(getUntranslated(document.body, DATA)).toEqual([])
    press('⟦Délété áccóúnt⟧')
    await sees('Whát yóú lósé')
    expect(getUntranslated(document.body, DATA)).toEqual([])
  })
  it('has no text without a translation while a second step is set up', async () => {
    show(openHost({ ...USER, mfa: { devices: [], recoveryCodes: 0 } }))
    await sees('⟦Áúthéntícátór ápp⟧')
    press('⟦Áúthéntícátór ápp⟧')
    await sees('⟦Typé thís kéy')
    expect(getUntranslated(document.body, DATA)).toEqual([])
  })
})

describe('the profile', () => {
  it('saves the username that the user chooses, and refuses one that the API would refuse', async () => {
    const host = openHost()
    render(host, <ProfileCard />, 'en')
    await sees('None yet')
    press('Choose a username')
    await expect.poll(() => document.querySelector('input')).not.toBeNull()
    type('ña')
    press('Save')
    await sees('Take 3 to 32 letters')
    expect(host.api.updateUser).not.toHaveBeenCalled()
    type('mara')
    press('Save')
    await expect.poll(() => host.api.updateUser.mock.calls.map(([patch]) => patch)).toEqual([{ username: 'mara' }])
  })
  it('has no text without a translation', async () => {
    render(openHost(), <ProfileCard />, 'pseudo')
    await sees('⟦Úsér íd⟧')
    expect(getUntranslated(document.body, DATA)).toEqual([])
  })
})

describe('the notice of a deletion', () => {
  it('keeps the account on request, and has no text without a translation', async () => {
    const host = openHost({ ...USER, deletesAt: 0 })
    render(host, <DeletionNotice />, 'pseudo')
    await sees('wíll bé délétéd')
    expect(getUntranslated(document.body, DATA)).toEqual([])
    press('⟦Kéép my áccóúnt⟧')
    await expect.poll(() => host.api.restoreUser.mock.calls.length).toBe(1)
  })
  it('shows nothing to other users', async () => {
    render(
      openHost(),
      <>
        <DeletionNotice />
        <ProfileCard />
      </>,
      'en',
    )
    await sees('User id')
    expect(document.body.textContent).not.toContain('deleted')
  })
})

it('tells sessions of the same browser apart, by how and when they began', async () => {
  show(openHost(), { level: 'advanced' }, 'en')
  await sees('in use now')
  const rows = [...document.querySelectorAll('[aria-label=Sessions] li')].map(({ textContent }) => textContent)
  expect(rows).toEqual([
    expect.stringMatching(/This one.*Email · signed in .+ · in use now/),
    expect.stringMatching(/Passkey · signed in .+ · last used /),
  ])
  expect(document.querySelector('[aria-label^="End session"]')?.getAttribute('aria-label')).toMatch(/, .*1970/)
})
