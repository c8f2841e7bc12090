// @vitest-environment happy-dom
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { usePrompts } from '../src/index.js'
import { AccountButton, Icon, PromptDialog, type PromptViewProps, useShowsPrompts } from '../src/ui/index.js'
import { account, fakeWallet, freshPages, host, ICON, render, settle } from './helpers.js'

freshPages()

function buttons() {
  return [...document.querySelectorAll('button')]
}

function button(text: string) {
  const element = buttons().find(({ textContent }) => textContent?.includes(text))
  if (!element) throw new Error(`no button "${text}"`)
  return element
}

function shown() {
  return document.querySelector('dialog[open]')?.textContent
}

describe('an icon', () => {
  const icon = async (iconUrl: string, name = 'wallet') => {
    const { element } = await render(host().keybay, <Icon connector={{ name, icon: iconUrl }} size={24} />)
    return element
  }
  it('a connector icon has no alternative text, because the name stands beside it', async () => {
    const image = (await icon(ICON)).querySelector('img')
    expect([image?.getAttribute('src'), image?.getAttribute('alt'), image?.getAttribute('width')]).toEqual([
      ICON,
      '',
      '24',
    ])
  })
  it.each(['https://tracker.example/a.png', 'javascript:alert(1)', '<svg onload="alert(1)"/>', 'data:text/html,x', ''])(
    'shows a letter instead of a connector icon of %s',
    async iconUrl => {
      const element = await icon(iconUrl)
      expect([element.querySelector('img'), element.textContent]).toEqual([null, 'W'])
    },
  )
  it('shows a letter when the image of a connector icon is broken', async () => {
    const element = await icon('data:image/png;base64,AAAA', '🦊 fox')
    await settle(() => element.querySelector('img')?.dispatchEvent(new Event('error')))
    expect([element.querySelector('img'), element.textContent]).toEqual([null, '🦊'])
  })
})

describe('the account button', () => {
  const address = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
  const connected = async () => {
    const [first, second] = [fakeWallet('One'), fakeWallet('Two')]
    first.answer = async () => ({ accounts: [account(address)] })
    const { keybay } = host([first.connector, second.connector])
    await keybay.connect('One')
    await keybay.connect('Two')
    await render(keybay, <AccountButton />)
    return keybay
  }

  it('connects', async () => {
    const { keybay } = host([fakeWallet('One').connector])
    await render(keybay, <AccountButton />)
    const trigger = button('Connect')
    await settle(() => trigger.click())
    expect(shown()).toContain('One')
    await settle(() => button('One').click())
    expect(shown()).toBeUndefined()
    expect(button('One1')).toBe(trigger)
    expect(trigger.getAttribute('aria-expanded')).toBe('false')
  })
  it('the account button shows a short address, and the full address in its menu', async () => {
    await connected()
    await settle(() => button('EPjFWd…yTDt1v').click())
    expect(button('EPjFWd…yTDt1v').getAttribute('aria-expanded')).toBe('true')
    expect(document.querySelector('.keybay-address')?.textContent).toBe(address)
  })
  it('the account button copies the address, and confirms the copy', async () => {
    const writeText = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValueOnce()
    await connected()
    await settle(() => button('EPjF').click())
    await settle(() => button('Copy address').click())
    expect(writeText).toHaveBeenCalledWith(address)
    expect(document.querySelector('.keybay-menu [role=status]')?.textContent).toBe('Copied')
    writeText.mockRejectedValueOnce(new Error('denied'))
    await settle(() => button('Copy address').click())
    expect(document.querySelector('.keybay-menu [role=status]')?.textContent).toContain('Select the address')
  })
  it('the account button switches to another account', async () => {
    const keybay = await connected()
    await settle(() => button('EPjF').click())
    await settle(() => document.querySelectorAll<HTMLInputElement>('input[type=radio]')[1]?.click())
    expect(keybay.accounts.active()?.key).toBe('Two|Two1')
  })
  it('the account button disconnects the active wallet, and keeps the focus', async () => {
    const keybay = await connected()
    await settle(() => button('EPjF').click())
    await settle(() => button('Disconnect One').click())
    expect(keybay.connections.list().map(({ connectorId }) => connectorId)).toEqual(['Two'])
    expect(document.activeElement).toBe(button('Two1'))
  })
  it('the menu of the account button closes on Escape and when the focus leaves', async () => {
    await connected()
    const trigger = button('EPjF')
    const isOpen = () => trigger.getAttribute('aria-expanded')
    await settle(() => trigger.click())
    await settle(() => button('Copy').focus())
    await settle(() => button('Copy').dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true })))
    expect([isOpen(), document.activeElement]).toEqual(['false', trigger])
    await settle(() => trigger.click())
    await settle(() => button('Copy').focus())
    expect(isOpen()).toBe('true')
    await settle(() => document.body.appendChild(document.createElement('input')).focus())
    expect(isOpen()).toBe('false')
  })
})

function Own({ prompt, titleId }: PromptViewProps<'choice'>) {
  return (
    <h2 id={titleId}>
      Own: {prompt.title}
      <button type="button" onClick={() => prompt.answer('own')}>
        Go
      </button>
    </h2>
  )
}

declare module '@keybay/kernel' {
  interface KeybayPrompts {
    'acme-color': { readonly ask: { readonly hint: string }; readonly answer: 'blue' }
  }
}

function spyOnWarnings() {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  onTestFinished(() => warn.mockRestore())
  return warn
}

/** UI of a host that reads the prompts itself. */
function ShowsColors() {
  useShowsPrompts(['acme-color'])
  const prompt = usePrompts().find(({ type }) => type === 'acme-color')
  return prompt?.type === 'acme-color' ? (
    <button type="button" name="blue" onClick={() => prompt.answer('blue')}>
      Blue
    </button>
  ) : null
}

describe('the prompt dialog', () => {
  const ask = (title: string) =>
    ({
      type: 'choice',
      title,
      options: [
        { id: 'x', label: 'This' },
        { id: 'y', label: 'That' },
      ],
    }) as const

  it('the prompt dialog shows one prompt after the other', async () => {
    const { keybay, kernel } = host()
    await render(keybay, <PromptDialog />)
    expect(shown()).toBeUndefined()
    const first = kernel.prompt(ask('First?'))
    const second = kernel.prompt(ask('Second?'))
    await settle()
    expect(shown()).toContain('First?')
    await settle(() => button('That').click())
    expect(await first).toBe('y')
    expect(shown()).toContain('Second?')
    await settle(() => button('This').click())
    expect(await second).toBe('x')
    expect(shown()).toBeUndefined()
  })
  it('the prompt dialog declines a prompt when it is closed, and shows the next prompt', async () => {
    const { keybay, kernel } = host()
    await render(keybay, <PromptDialog />)
    const declined = kernel.prompt(ask('First?')).catch(({ code }) => code)
    void kernel.prompt(ask('Second?'))
    await settle()
    await settle(() => document.querySelector('dialog')?.close())
    expect(await declined).toBe('user_rejected')
    expect(shown()).toContain('Second?')
  })
  it('the prompt dialog keeps the next prompt when the close event of the previous prompt arrives late', async () => {
    const { keybay, kernel } = host()
    await render(keybay, <PromptDialog />)
    void kernel.prompt(ask('First?'))
    await settle()
    await settle(() => button('That').click())
    const second = kernel.prompt(ask('Second?'))
    await settle()
    await settle(() => document.querySelector('dialog')?.dispatchEvent(new Event('close')))
    expect(shown()).toContain('Second?')
    await settle(() => button('This').click())
    expect(await second).toBe('x')
  })
  it('the prompt dialog shows the host’s view of a prompt', async () => {
    const { keybay, kernel } = host()
    await render(keybay, <PromptDialog views={{ choice: Own }} />)
    const answer = kernel.prompt(ask('Which?'))
    await settle()
    expect(
      document.querySelector(`[id="${document.querySelector('dialog')?.getAttribute('aria-labelledby')}"]`)
        ?.textContent,
    ).toContain('Own: Which?')
    await settle(() => button('Go').click())
    expect(await answer).toBe('own')
  })
  it('warns once about a prompt that no UI shows, says that the app cannot show it, and declines when it is closed', async () => {
    const warn = spyOnWarnings()
    const { keybay, kernel } = host([], 'test', 'warn')
    await render(keybay, <PromptDialog />)
    for (const round of [1, 2]) {
      const declined = kernel.prompt({ type: 'acme-color', hint: String(round) }).catch(({ code }) => code)
      await expect.poll(shown).toContain('“acme-color”')
      await settle(() => button('Close').click())
      expect(await declined).toBe('user_rejected')
    }
    await settle()
    expect(shown()).toBeUndefined()
    expect(warn.mock.calls).toEqual([[expect.stringContaining('No UI on this page shows the prompt “acme-color”')]])
  })
  it('leaves a prompt alone that other UI says it shows', async () => {
    const warn = spyOnWarnings()
    const { keybay, kernel } = host([], 'test', 'warn')
    await render(
      keybay,
      <>
        <PromptDialog />
        <ShowsColors />
      </>,
    )
    const answer = kernel.prompt({ type: 'acme-color', hint: 'x' })
    await expect.poll(() => document.querySelector('button[name=blue]')).not.toBeNull()
    await new Promise(resolve => setTimeout(resolve))
    await settle()
    expect(shown()).toBeUndefined()
    await settle(() => document.querySelector<HTMLElement>('button[name=blue]')?.click())
    expect(await answer).toBe('blue')
    expect(warn).not.toHaveBeenCalled()
  })
})
