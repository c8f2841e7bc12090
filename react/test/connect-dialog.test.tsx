// @vitest-environment happy-dom
import { type Core, KeybayError } from '@keybay/kernel'
import { type ReactNode, useState } from 'react'
import { describe, expect, it, vi } from 'vitest'
import { useConnections } from '../src/index.js'
import { ConnectDialog, type ConnectDialogProps } from '../src/ui/index.js'
import { account, deferred, fakeWallet, freshPages, host, login, render, settle } from './helpers.js'

freshPages()

function Page(props: Partial<ConnectDialogProps>): ReactNode {
  const [open, setOpen] = useState(false)
  return (
    <>
      <button type="button" id="opener" onClick={() => setOpen(true)}>
        Open
      </button>
      <ConnectDialog open={open} onClose={() => setOpen(false)} {...props} />
    </>
  )
}
/** A host that shows the dialog to those who have no wallet yet. */
function UntilConnected(): ReactNode {
  return useConnections().length ? null : <Page />
}

function find<T extends Element = HTMLElement>(selector: string): T {
  const element = document.querySelector<T>(selector)
  if (!element) throw new Error(`no ${selector}`)
  return element
}

function named(name: string): HTMLElement {
  const element = [...document.querySelectorAll<HTMLElement>('.keybay-row, button')].find(candidate =>
    candidate.textContent?.includes(name),
  )
  if (!element) throw new Error(`nothing is called ${name}`)
  return element
}

function dialog() {
  return find<HTMLDialogElement>('dialog')
}

function status() {
  return find('[role=status]').textContent
}

async function open(keybay: Core, props: Partial<ConnectDialogProps> = {}) {
  const view = await render(keybay, <Page {...props} />)
  const opener = find('#opener')
  opener.focus()
  await settle(() => opener.click())
  return { ...view, opener }
}

function type(text: string) {
  return settle(() => {
    const input = find<HTMLInputElement>('input[type=search]')
    // As a browser does it: React has replaced the element's own setter.
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, text)
    input.dispatchEvent(new Event('input', { bubbles: true }))
  })
}

describe('the connect dialog', () => {
  it('the connect dialog groups connectors, labels itself and its groups, and omits unsupported connectors', async () => {
    const { keybay } = host([
      fakeWallet('Alpha').connector,
      fakeWallet('Soon', { readiness: 'loading' }).connector,
      fakeWallet('Embedded', { connectionType: 'embeddedWallet' }).connector,
      fakeWallet('Custody', { connectionType: 'custodialService' }).connector,
      login('Mail'),
      fakeWallet('Beta', { readiness: 'not-installed', installUrl: 'https://beta.example/' }).connector,
      fakeWallet('Phone only', { readiness: 'unsupported' }).connector,
    ])
    await open(keybay, { title: 'Log in to Acme' })
    expect(dialog().open).toBe(true)
    expect(find(`[id="${dialog().getAttribute('aria-labelledby')}"]`).textContent).toBe('Log in to Acme')
    const groups = [...document.querySelectorAll('section')].map(section => [
      find(`[id="${section.getAttribute('aria-labelledby')}"]`).textContent,
      [...section.querySelectorAll('.keybay-name')].map(({ textContent }) => textContent),
    ])
    expect(groups).toEqual([
      ['Installed', ['Alpha', 'Soon']],
      ['Wallets of your account', ['Embedded', 'Custody']],
      ['Log in', ['Mail']],
      ['Not installed', ['Beta']],
    ])
    expect(named('Beta').getAttribute('href')).toBe('https://beta.example/')
    expect(named('Beta').getAttribute('rel')).toContain('noopener')
  })
  it('the connect dialog subscribes to nothing while it is closed', async () => {
    const { keybay } = host([fakeWallet('Alpha').connector])
    const list = vi.spyOn(keybay.connectors, 'list')
    await render(keybay, <Page />)
    expect(list).not.toHaveBeenCalled()
    expect(dialog().childElementCount).toBe(0)
  })
  it('the connect dialog links only to install pages with http addresses', async () => {
    const installUrl = 'javascript:alert(1)'
    await open(host([fakeWallet('Evil', { readiness: 'not-installed', installUrl }).connector]).keybay)
    expect(document.querySelector('a')).toBeNull()
    expect(named('Evil').textContent).toContain('Not installed')
  })
  it('the connect dialog closes and lets the host sign the user in when the chosen wallet belongs to an account', async () => {
    const wallet = fakeWallet('Alpha')
    wallet.answer = () => Promise.reject(new KeybayError({ code: 'session_missing', message: 'sign in first' }))
    const { keybay } = host([wallet.connector])
    const onSignIn = vi.fn()
    await open(keybay, { onSignIn })
    await settle(() => named('Alpha').click())
    expect(onSignIn.mock.calls).toEqual([[expect.objectContaining({ name: 'Alpha' })]])
    expect(dialog().open).toBe(false)
  })
  it('the connect dialog offers to set up a wallet of the account that has none here, and closes', async () => {
    const wallet = fakeWallet('Alpha')
    wallet.answer = () => Promise.resolve({ accounts: [] })
    const { keybay } = host([wallet.connector])
    const setUp = vi.fn()
    await open(keybay, { setUp: { [wallet.connector.id]: setUp } })
    await settle(() => named('Alpha').click())
    expect(status()).toContain('Alpha isn’t set up in this browser yet.')
    await settle(() => named('Set it up').click())
    expect(setUp).toHaveBeenCalledOnce()
    expect(dialog().open).toBe(false)
  })
  it('the connect dialog says how to share an account of a wallet that the app does not set up', async () => {
    const wallet = fakeWallet('Alpha')
    wallet.answer = () => Promise.resolve({ accounts: [] })
    await open(host([wallet.connector]).keybay, { setUp: { another: vi.fn() } })
    await settle(() => named('Alpha').click())
    expect(status()).toContain('Allow one for this app in Alpha')
  })
  it('the connect dialog shows a missing sign-in as an error to a host that does not sign users in', async () => {
    const wallet = fakeWallet('Alpha')
    wallet.answer = () => Promise.reject(new KeybayError({ code: 'session_missing', message: 'sign in first' }))
    await open(host([wallet.connector]).keybay)
    await settle(() => named('Alpha').click())
    expect(status()).toContain('sign in first')
  })
  it('the connect dialog lists the wallets that the user connected here first, and marks the last one', async () => {
    const { keybay } = host(['Alpha', 'Beta', 'Gamma'].map(name => fakeWallet(name).connector))
    const { opener } = await open(keybay)
    for (const name of ['Beta', 'Gamma']) {
      await settle(() => named(name).click())
      await settle(() => opener.click())
    }
    const rows = [...document.querySelectorAll('.keybay-row')].map(({ textContent }) => textContent)
    expect(rows).toEqual(['GammaLast used', 'Beta', 'Alpha'])
    expect(Object.entries(localStorage).filter(([key]) => key.includes('recent'))).toEqual([
      ['keybay:test:recent:connect', '["Gamma","Beta"]'],
    ])
  })
  it('the connect dialog connects a wallet and closes', async () => {
    const wallet = fakeWallet('Alpha')
    const answer = deferred<{ accounts: ReturnType<typeof account>[] }>()
    wallet.answer = () => answer.promise
    const { keybay } = host([wallet.connector])
    await open(keybay)
    await settle(() => named('Alpha').click())
    expect(status()).toContain('Confirm in Alpha')
    expect(named('Alpha').getAttribute('aria-busy')).toBe('true')
    await settle(() => answer.resolve({ accounts: [account('a1')] }))
    expect(dialog().open).toBe(false)
    expect(keybay.connections.list()).toHaveLength(1)
  })
  it('keeps the connection when the host unmounts the connect dialog at the moment of success', async () => {
    const { keybay } = host([fakeWallet('Alpha').connector])
    await render(keybay, <UntilConnected />)
    await settle(() => find('#opener').click())
    await settle(() => named('Alpha').click())
    // The dialog's clean-up takes its turn among the timers.
    await new Promise(resolve => setTimeout(resolve))
    await settle()
    expect(keybay.attempts.get('Alpha')?.status).toBe('succeeded')
  })
  it('the connect dialog starts connecting inside the click', async () => {
    const gesture = vi.fn()
    await open(host([fakeWallet('Alpha', { gesture }).connector]).keybay)
    await settle(() => {
      named('Alpha').click()
      expect(gesture).toHaveBeenCalledOnce()
    })
  })
  it('[S13.4] the connect dialog can cancel an attempt, and then shows no status', async () => {
    const wallet = fakeWallet('Alpha')
    wallet.answer = () => new Promise(() => {})
    const { keybay } = host([wallet.connector])
    await open(keybay)
    await settle(() => named('Alpha').click())
    await settle(() => named('Cancel').click())
    expect([status(), dialog().open]).toEqual(['', true])
    expect(keybay.attempts.get('Alpha')).toMatchObject({ status: 'failed', error: { code: 'aborted' } })
  })
  it('the connect dialog cancels only its own attempt when it closes', async () => {
    const [first, other] = [fakeWallet('Mine'), fakeWallet('Other')]
    first.answer = other.answer = () => new Promise(() => {})
    const { keybay } = host([first.connector, other.connector])
    keybay.connect('Other').catch(() => {})
    await open(keybay)
    expect(status()).toBe('')
    await settle(() => named('Mine').click())
    await settle(() => find('.keybay-close').click())
    expect(dialog().open).toBe(false)
    await expect.poll(() => keybay.attempts.get('Mine')?.error?.code).toBe('aborted')
    expect(keybay.attempts.get('Other')?.status).toBe('connecting')
  })
  it('the connect dialog connects another wallet when the first wallet does not respond', async () => {
    const slow = fakeWallet('Slow')
    slow.answer = () => new Promise(() => {})
    const { keybay } = host([slow.connector, fakeWallet('Quick').connector])
    await open(keybay)
    await settle(() => named('Slow').click())
    await settle(() => named('Quick').click())
    expect(dialog().open).toBe(false)
    expect(keybay.connections.list().map(({ connectorId }) => connectorId)).toEqual(['Quick'])
    expect(keybay.attempts.get('Slow')?.error?.code).toBe('aborted')
  })
  it.each([
    ['User rejected the request', 'You declined in Alpha. Choose it again to retry.'],
    ['Wallet is locked', 'Alpha is locked. Unlock it, then choose it again.'],
    ['Boom', 'Boom'],
  ])('the connect dialog says what to do after "%s", and lets the user try again', async (message, advice) => {
    const wallet = fakeWallet('Alpha')
    const works = wallet.answer
    wallet.answer = async () => {
      throw new Error(message)
    }
    const { keybay } = host([wallet.connector])
    await open(keybay)
    await settle(() => named('Alpha').click())
    expect(status()).toContain(advice)
    wallet.answer = works
    await settle(() => named('Alpha').click())
    expect(dialog().open).toBe(false)
  })
  it('the connect dialog shows no error of an earlier attempt when it reopens', async () => {
    const wallet = fakeWallet('Alpha')
    wallet.answer = async () => {
      throw new Error('Boom')
    }
    const { keybay } = host([wallet.connector])
    const { opener } = await open(keybay)
    await settle(() => named('Alpha').click())
    await settle(() => find('.keybay-close').click())
    await settle(() => opener.click())
    expect(status()).toBe('')
  })
  it('the connect dialog closes on a press beside the panel, but not inside it or after a text selection', async () => {
    await open(host([fakeWallet('Alpha').connector]).keybay)
    const press = (on: HTMLElement) =>
      settle(() => on.dispatchEvent(new MouseEvent('mousedown', { bubbles: true, cancelable: true })))
    await press(find('h2'))
    await settle(() => dialog().click())
    expect(dialog().open).toBe(true)
    await press(dialog())
    expect(dialog().open).toBe(false)
  })
  it('the connect dialog says how to get a wallet when there are no connectors', async () => {
    await open(host().keybay)
    expect(find('.keybay-empty').textContent).toContain('Install a Solana wallet, then reload this page.')
  })
  it('the connect dialog offers only connectors that match the filter', async () => {
    await open(host([fakeWallet('Alpha').connector, login('Mail')]).keybay, { filter: { kind: 'login' } })
    expect([...document.querySelectorAll('.keybay-name')].map(({ textContent }) => textContent)).toEqual(['Mail'])
  })
  it('the connect dialog preloads a connector’s code on hover and focus', async () => {
    const preload = vi.fn(async () => {})
    await open(host([fakeWallet('Alpha', { preload }).connector]).keybay)
    await settle(() => named('Alpha').focus())
    expect(preload).toHaveBeenCalled()
  })
})

describe('the connect dialog with many connectors', () => {
  const many = (count: number) =>
    host(Array.from({ length: count }, (_, i) => fakeWallet(`Wallet ${i}`).connector)).keybay

  it('the connect dialog searches by name, and says when no name matches', async () => {
    await open(many(100))
    expect(document.querySelectorAll('li')).toHaveLength(100)
    await type(' WALLET 9')
    expect([...document.querySelectorAll('.keybay-name')].map(({ textContent }) => textContent)).toEqual([
      'Wallet 9',
      ...Array.from({ length: 10 }, (_, i) => `Wallet 9${i}`),
    ])
    await type('nothing')
    expect(find('.keybay-empty').textContent).toBe('No results for “nothing”.')
  })
  it('the connect dialog has no search field with few connectors', async () => {
    await open(many(8))
    expect(document.querySelector('input')).toBeNull()
  })
  it('the arrow keys move between the choices of the connect dialog', async () => {
    await open(many(9))
    const press = (key: string) =>
      settle(() => document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true })))
    find('input').focus()
    await press('ArrowDown')
    await press('ArrowDown')
    expect(document.activeElement).toBe(named('Wallet 1'))
    await press('ArrowUp')
    expect(document.activeElement).toBe(named('Wallet 0'))
    await press('ArrowUp')
    await press('ArrowUp')
    expect(document.activeElement).toBe(find('input'))
  })
})
