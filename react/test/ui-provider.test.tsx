// @vitest-environment happy-dom
import { KeybayError } from '@keybay/kernel'
import type { FormEvent } from 'react'
import { describe, expect, it, vi } from 'vitest'
import { getUntranslated } from '../src/testing/index.js'
import {
  AccountButton,
  Button,
  Card,
  ConfirmButton,
  ConnectDialog,
  EditText,
  Empty,
  Failure,
  LineForm,
  Loading,
  loadMessages,
  Notice,
  StepList,
  UiProvider,
  useMessages,
} from '../src/ui/index.js'
import { ui } from '../src/ui/locales/en/ui.js'
import { account, fakeWallet, freshPages, host, login, render, settle } from './helpers.js'

freshPages()

const WALLET = 'ἀλφα'

function connectors() {
  const wallet = fakeWallet(WALLET)
  wallet.answer = async () => ({ accounts: [account('1'.repeat(32))] })
  return [
    wallet.connector,
    fakeWallet('ϐ', { readiness: 'not-installed', installUrl: 'https://beta.example/' }).connector,
    fakeWallet('ϑ', { readiness: 'not-installed' }).connector,
    login('ϰ'),
  ]
}
const DATA = [WALLET, 'ϐ', 'ϑ', 'ϰ', 'ἈΛΦΑ'] as const

function nothing() {}

describe('the pseudo-locale', () => {
  it('finds no text of the connect dialog and the account button that is not translated', async () => {
    await loadMessages('pseudo', 'ui')
    const { keybay } = host(connectors())
    await render(
      keybay,
      <UiProvider locale="pseudo">
        <AccountButton />
        <ConnectDialog open onClose={nothing} />
      </UiProvider>,
    )
    expect(document.querySelectorAll('dialog[open] li')).toHaveLength(4)
    expect(getUntranslated(document.body, DATA)).toEqual([])
    await settle(() => void keybay.connect(WALLET))
    await settle(() => document.querySelector<HTMLElement>('.keybay-account > button')?.click())
    expect(document.querySelector('.keybay-menu')).not.toBeNull()
    expect(getUntranslated(document.body, DATA)).toEqual([])
  })
  it('finds no text of the primitives that is not translated', async () => {
    await loadMessages('pseudo', 'ui')
    const steps = [{ name: 'a', state: 'failed', text: '1' }] as const
    await render(
      host().keybay,
      <UiProvider locale="pseudo">
        <Loading what="1" />
        <Failure title="1" retry={nothing} />
        <StepList label="1" steps={steps} />
        <EditText label="1" value="" longest={9} busy={false} save={nothing} cancel={nothing} />
        <ConfirmButton text="1" label="2" question="3" busy={false} confirm={nothing} />
      </UiProvider>,
    )
    await settle(() => document.querySelector<HTMLElement>('[aria-label="2"]')?.click())
    expect(document.querySelector('fieldset')).not.toBeNull()
    expect(getUntranslated(document.body, [])).toEqual([])
  })
  it('finds a text that is not translated', async () => {
    await render(
      host().keybay,
      <UiProvider locale="pseudo">
        <Empty icon="user" title="Plain">
          ⟦márked⟧
        </Empty>
      </UiProvider>,
    )
    expect(getUntranslated(document.body, [])).toEqual(['Plain'])
  })
})

function Sentence() {
  const { text, rich } = useMessages(ui)
  const name = '\u2069+41\u202e 79'
  return <p title={text('disconnect', { name })}>{rich('disconnect', { name: <strong>Phantom</strong> })}</p>
}

describe('the language of the UI', () => {
  it('isolates values, which change no direction around them, and sets the direction in Arabic', async () => {
    await loadMessages('ar', 'ui')
    await render(
      host(connectors()).keybay,
      <UiProvider locale="ar">
        <Sentence />
        <AccountButton />
      </UiProvider>,
    )
    const sentence = document.querySelector('p')
    expect(sentence?.querySelector('bdi > strong')?.textContent).toBe('Phantom')
    expect(sentence?.title).toBe('قطع الاتصال بـ \u2068+41 79\u2069')
    const root = document.querySelector('.keybay-account')
    expect([root?.getAttribute('dir'), root?.getAttribute('lang')]).toEqual(['rtl', 'ar'])
  })
  it('shows no value that turns around the English text after it', async () => {
    await render(host().keybay, <Sentence />)
    expect(document.querySelector('p')?.title).toBe('Disconnect +41 79')
  })
  it('is also that of the error of a wallet in the connect dialog', async () => {
    await Promise.all(['ui', 'codes'].map(section => loadMessages('es', section)))
    const wallet = fakeWallet(WALLET)
    wallet.answer = () => Promise.reject(new KeybayError({ code: 'session_missing', message: 'sign in first' }))
    await render(
      host([wallet.connector]).keybay,
      <UiProvider locale="es">
        <ConnectDialog open onClose={nothing} />
      </UiProvider>,
    )
    await settle(() => document.querySelector<HTMLElement>('.keybay-row')?.click())
    expect(document.querySelector('.keybay-status')?.textContent).toBe('Entra antes.')
  })
  it('is English, without a direction, where the host names none', async () => {
    await render(host().keybay, <AccountButton />)
    const root = document.querySelector('.keybay-account')
    expect([root?.textContent, root?.getAttribute('dir')]).toEqual(['Connect', null])
  })
  it('shows English until a language has loaded', async () => {
    await render(
      host().keybay,
      <UiProvider locale="es">
        <Sentence />
      </UiProvider>,
    )
    await expect.poll(() => document.querySelector('p')?.textContent).toBe('Desconectar Phantom')
  })
})

describe('the primitives', () => {
  const find = (text: string) => [...document.querySelectorAll('button')].find(found => found.textContent === text)
  it('a confirmation takes the focus, and gives it back when the user keeps things as they are', async () => {
    const confirm = vi.fn()
    await render(host().keybay, <ConfirmButton text="Go" label="Go" question="Sure?" busy={false} confirm={confirm} />)
    await settle(() => find('Go')?.click())
    expect(document.activeElement).toBe(find('Keep'))
    await settle(() => find('Keep')?.click())
    expect([document.activeElement, confirm.mock.calls]).toEqual([find('Go'), []])
  })
  it('the second click of a double click confirms nothing, and a later click does', async () => {
    const confirm = vi.fn()
    await render(host().keybay, <ConfirmButton text="Go" label="Go" question="Sure?" busy={false} confirm={confirm} />)
    const click = (detail: number) => find('Go')?.dispatchEvent(new MouseEvent('click', { detail, bubbles: true }))
    for (const detail of [1, 2]) await settle(() => void click(detail))
    expect([find('Keep')?.textContent, confirm.mock.calls]).toEqual(['Keep', []])
    await settle(() => void click(1))
    expect(confirm).toHaveBeenCalledOnce()
  })
  it('a button keeps a sentence with elements in one piece', async () => {
    await render(host().keybay, <Button icon="plus" text={['All ', <bdi key="count">22</bdi>, ' of them']} />)
    expect([...(document.querySelector('button')?.childNodes ?? [])].map(({ nodeName }) => nodeName)).toEqual([
      'svg',
      'SPAN',
    ])
  })
  it('a busy button ignores clicks, and submits no form', async () => {
    const act = vi.fn()
    const submit = vi.fn((event: FormEvent) => event.preventDefault())
    const page = (busy: boolean) => (
      <form onSubmit={submit}>
        <Button text="Act" busy={busy} onClick={act} />
        <Button text="Send" type="submit" busy={busy} />
      </form>
    )
    const { render: again } = await render(host().keybay, page(true))
    const clickBoth = () =>
      settle(() => {
        for (const text of ['Act', 'Send']) find(text)?.click()
      })
    await clickBoth()
    expect([act.mock.calls, submit.mock.calls]).toEqual([[], []])
    await again(page(false))
    await clickBoth()
    expect([act.mock.calls.length, submit.mock.calls.length]).toEqual([1, 1])
  })
  it('a form with one field focuses a refused text', async () => {
    await render(host().keybay, <LineForm label="Name" action="Save" submit={() => 'Wrong.'} />)
    const form = document.querySelector('form')
    await settle(() => form?.requestSubmit())
    expect(document.activeElement).toBe(form?.querySelector('input'))
    expect(form?.textContent).toContain('Wrong.')
  })
})

describe('the appearance', () => {
  it('sets the theme, the variables and the classes of the parts', async () => {
    const appearance = {
      theme: 'dark',
      variables: { accent: 'rebeccapurple', 'ink-soft': 'gray' },
      classes: { root: 'host-root', button: 'host-button', notice: 'host-notice' },
    } as const
    await render(
      host().keybay,
      <UiProvider appearance={appearance}>
        <AccountButton />
        <Button text="Go" />
        <Notice title="Hello" />
      </UiProvider>,
    )
    const root = document.querySelector<HTMLElement>('.keybay-account')
    expect(root?.dataset.theme).toBe('dark')
    expect(root?.className).toContain('host-root')
    expect(root?.style.getPropertyValue('--keybay-accent')).toBe('rebeccapurple')
    expect(root?.style.getPropertyValue('--keybay-ink-soft')).toBe('gray')
    expect(document.querySelectorAll('button.host-button')).toHaveLength(2)
    expect(document.querySelectorAll('.host-notice')).toHaveLength(1)
  })
  it('gives each part the class of the host', async () => {
    const parts = ['root', 'dialog', 'menu', 'button', 'field', 'card', 'notice', 'row'] as const
    const classes = Object.fromEntries(parts.map(part => [part, `host-${part}`]))
    const { keybay } = host(connectors())
    await render(
      keybay,
      <UiProvider appearance={{ classes }}>
        <AccountButton />
        <Card title="Card">
          <LineForm label="Name" action="Save" submit={() => undefined} />
        </Card>
        <Notice title="Hello" />
        <ConnectDialog open onClose={nothing} />
      </UiProvider>,
    )
    await settle(() => void keybay.connect(WALLET))
    await settle(() => document.querySelector<HTMLElement>('.keybay-account > button')?.click())
    expect(
      parts.filter(part => document.querySelector(`.keybay.host-${part}, [class*=keybay-].host-${part}`) === null),
    ).toEqual([])
  })
  it('leaves the theme to the page where it is auto', async () => {
    await render(
      host().keybay,
      <UiProvider appearance={{ theme: 'auto' }}>
        <AccountButton />
      </UiProvider>,
    )
    expect(document.querySelector('.keybay-account')?.hasAttribute('data-theme')).toBe(false)
  })
})
