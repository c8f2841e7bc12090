// @vitest-environment happy-dom
/** The views over the real kit and a real chain. */
import { shorten } from '@keybay/kernel/spec'
import { KeybayProvider } from '@keybay/react'
import { getUntranslated } from '@keybay/react/testing'
import { loadMessages, ToastRegion, type UiLocale, UiProvider } from '@keybay/react/ui'
import type { ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import {
  ActivityView,
  type PanelSlots,
  SendView,
  TokensView,
  TransactionHistory,
  WalletPanel,
} from '../../src/ui/index.js'
import { type Host, SOL, setUpChain, stranger } from '../support.js'

const setup = setUpChain()
const { closing, rich } = setup
afterEach(() => localStorage.clear())

afterEach(() => vi.unstubAllGlobals())

const SECTIONS = ['ui', 'wallet', 'send', 'activity', 'network'] as const
/** Texts that no catalogue has. */
const DATA = ['SOL', 'βήτα', 'https://…', 'Solana Localnet', 'Solana Devnet', 'Solana Testnet', 'Solana Mainnet']
const slots: PanelSlots = {
  token: () => ({ symbol: 'βήτα' }),
  transaction: ({ signature, text }) => <a href={`#${signature}`}>{text}</a>,
  qr: ({ label }) => <span role="img" aria-label={label} />,
}

/** Mints 100 of a token with 6 decimals. @returns the token */
async function mint({ solana }: Host, owner: string): Promise<string> {
  const order = { owner, symbol: 'DEMO', amount: '100000000', program: 'spl-token' }
  await fetch(`${setup.chain.url}/admin/mint`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(order),
  })
  const [account] = await (await solana.steps()).tokenAccounts(owner)
  if (!account) throw new Error('no tokens')
  return account.mint
}

function show(keybay: Host, children: ReactNode, locale: UiLocale = 'en') {
  const element = document.body.appendChild(document.createElement('main'))
  const root = createRoot(element)
  closing.push(() => {
    root.unmount()
    element.remove()
  })
  root.render(
    <KeybayProvider keybay={keybay}>
      <UiProvider locale={locale}>{children}</UiProvider>
    </KeybayProvider>,
  )
  const sees = (text: string | RegExp) => expect.poll(() => element.textContent).toMatch(text)
  const fields = () => [...element.querySelectorAll<HTMLInputElement>('form input')]
  const fill = (index: number, text: string) => {
    const input = fields()[index]
    // React ignores a value that was set on its own wrapper of the property.
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, text)
    input?.dispatchEvent(new Event('input', { bubbles: true }))
  }
  const press = (text: string) => {
    const button = [...element.querySelectorAll('button')].find(found => found.textContent === text)
    if (!button) throw new Error(`no button “${text}”`)
    button.click()
    return button
  }
  const untranslated = (...data: readonly string[]) =>
    getUntranslated(element, [...data, ...data.map(shorten), ...DATA]).filter(text => !/^[\d.]+ m?s$/.test(text))
  return { element, sees, fill, press, fields, untranslated }
}

beforeAll(async () => {
  for (const section of SECTIONS) await loadMessages('pseudo', section)
})

describe('the pseudo-locale', () => {
  it('finds no text of the panel that is not translated', async () => {
    const { keybay, wallet } = await rich()
    const { element, sees, press, untranslated } = show(keybay, <WalletPanel slots={slots} />, 'pseudo')
    await sees(wallet.address)
    for (const [tab, text] of [
      ['⟦Sénd⟧', 'Nétwórk féé'],
      ['⟦Áctívíty⟧', 'Ón thé cháín'],
      ['⟦Nétwórk⟧', 'Yóúr ówn nódé'],
    ] as const) {
      press(tab)
      await sees(text)
    }
    await sees('Súccéédéd')
    const signatures = [...element.querySelectorAll('a')].map(({ hash }) => hash.slice(1))
    expect(signatures).toHaveLength(1)
    expect(untranslated(wallet.address, ...signatures)).toEqual([])
  })
  it('finds no text of a transfer that is not translated, from the first check to the question whether to repeat it', async () => {
    const { keybay, wallet } = await rich()
    const token = await mint(keybay, wallet.address)
    const to = stranger()
    const { element, sees, fill, press, fields, untranslated } = show(
      keybay,
      <SendView address={wallet.address} token={token} slots={slots} canBeSponsored />,
      'pseudo',
    )
    await sees('áváíláblé')
    press('⟦Sénd⟧')
    await sees('Déstínátíón ís réqúíréd')
    expect(untranslated(wallet.address)).toEqual([])
    for (const _ of [1, 2]) {
      fill(0, to)
      fill(1, '1')
      await sees('Whát wíll chángé')
      await sees('fór thé féé')
      expect(untranslated(wallet.address, to, token)).toEqual([])
      press('⟦Sénd⟧')
      await sees(/Cónfírméd⟧ · |á mómént ágó/)
      if (!element.textContent?.includes('á mómént ágó')) await expect.poll(() => fields()[0]?.value).toBe('')
    }
    await sees('á mómént ágó')
    expect(untranslated(wallet.address, to, token)).toEqual([])
  })
})

describe('WalletPanel', () => {
  it('loads a view when its tab is chosen, keeps its state, and moves by arrow keys', async () => {
    const { keybay, wallet } = await rich()
    const { element, sees, fill, press, fields } = show(keybay, <WalletPanel slots={slots} />)
    await sees(wallet.address)
    expect(fields()).toEqual([])
    press('Send')
    await sees('Network fee')
    fill(1, '0.5')
    const key = (name: string) =>
      element
        .querySelector('[role=tab][aria-selected=true]')
        ?.dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true }))
    const chosen = () => element.querySelector('[role=tab][aria-selected=true]')?.textContent
    key('ArrowLeft')
    await expect.poll(chosen).toBe('Receive')
    key('ArrowLeft')
    await expect.poll(chosen).toBe('Network')
    key('ArrowRight')
    await expect.poll(chosen).toBe('Receive')
    key('ArrowRight')
    await expect.poll(chosen).toBe('Send')
    expect(fields()[1]?.value).toBe('0.5')
    const hidden = [...element.querySelectorAll('[role=tabpanel]')].map(panel => panel.hasAttribute('hidden'))
    expect(hidden).toEqual([true, false, true, true])
  })
  it('says that no wallet is connected', async () => {
    const { sees } = show(await setup.open(), <WalletPanel />)
    await sees('No wallet is connected')
  })
})

describe('activity', () => {
  it('shows tokens with their amount and direction, and no 0 SOL beside them', async () => {
    const { keybay, wallet } = await rich()
    const token = await mint(keybay, wallet.address)
    const { element, sees } = show(keybay, <ActivityView address={wallet.address} slots={slots} />)
    await sees('+100 βήτα')
    expect([...element.querySelectorAll('bdi')].map(({ textContent }) => textContent)).not.toContain('0 SOL')
    await keybay.solana.send({ to: stranger(), token, amount: 1_500_000n })
    await sees('−1.5 βήτα')
    await sees('Sent from this browser')
  })
  it('shows amounts and addresses in their own direction in Arabic', async () => {
    for (const section of SECTIONS) await loadMessages('ar', section)
    const { keybay, wallet } = await rich({}, SOL)
    const { element, sees } = show(keybay, <TransactionHistory address={wallet.address} limit={1} />, 'ar')
    await sees('ناجحة')
    const isolated = [...element.querySelectorAll('bdi')].map(({ textContent }) => textContent)
    expect(isolated).toContain('+1 SOL')
    expect(isolated.some(text => text?.includes('…'))).toBe(true)
    expect(element.querySelector('.keybay')?.getAttribute('dir')).toBe('rtl')
  })
})

/** Sends 0.01 SOL by the form, and waits for the confirmation. */
async function sendTo({ fill, press, sees, fields }: ReturnType<typeof show>, to: string) {
  fill(0, to)
  fill(1, '0.01')
  await sees('What will change')
  press('Send')
  await sees('Confirmed · ')
  await expect.poll(() => fields()[0]?.value).toBe('')
}

describe('the receiver', () => {
  it('can be one that the user sent to before, by this account only, and warns of an address that only looks like it', async () => {
    const { keybay, wallet } = await rich()
    const to = stranger()
    const form = show(keybay, <SendView address={wallet.address} />)
    await form.sees('available')
    expect(form.element.textContent).not.toContain('Recent')
    await sendTo(form, to)
    await form.sees(`Recent${to}`)
    form.press(to)
    await expect.poll(() => form.fields()[0]?.value).toBe(to)
    await form.sees('You sent to this address before.')
    expect(document.activeElement).toBe(form.fields()[1])
    const letters = to.slice(4, -4).split('').reverse().join('')
    form.fill(0, `${to.slice(0, 4)}${letters}${to.slice(-4)}`)
    await form.sees('differs in between')
    form.fill(0, to)
    await form.sees('You sent to this address before.')
    form.fill(0, `${to.slice(0, 4).toLowerCase()}${letters}${to.slice(-4).toUpperCase()}`)
    await form.sees('differs in between')
    expect(form.element.textContent).not.toContain('You sent to this address before.')
    const other = show(keybay, <SendView address={stranger()} />)
    await other.sees('Network fee')
    expect(other.element.textContent).not.toContain(to)
  })
  it('begins as the app says, with the amount, and what is wrong with them shows at once', async () => {
    const { keybay, wallet } = await rich()
    const to = stranger()
    const form = show(keybay, <SendView address={wallet.address} to={to} amount="0.25" />)
    await form.sees('What will change')
    expect(form.fields().map(({ value }) => value)).toEqual([to, '0.25', ''])
    const wrong = show(keybay, <SendView address={wallet.address} to="0x" amount="0" />)
    await expect.poll(() => wrong.element.querySelectorAll('[aria-invalid=true]').length).toBe(2)
  })
  it('is offered from storage only if it is an address, whatever else is written there', async () => {
    const { keybay, wallet } = await rich()
    const to = stranger()
    const key = `keybay:${keybay.config.environmentId}:user:sent:104:${wallet.address}`
    const written = [
      to,
      to,
      'javascript:alert(1)',
      'x'.repeat(100_000),
      { to },
      ...Array.from({ length: 1000 }, stranger),
    ]
    localStorage.setItem(key, JSON.stringify(written))
    const { element, sees } = show(keybay, <SendView address={wallet.address} />)
    await sees(`Recent${to}`)
    expect([...element.querySelectorAll('.keybay-options button')].length).toBeLessThanOrEqual(5)
    expect(element.textContent).not.toMatch(/javascript|xxxx/)
    for (const text of ['{', 'null', '"text"', '{"length":3}']) {
      localStorage.setItem(key, text)
      dispatchEvent(new Event('storage'))
      await expect.poll(() => element.textContent).not.toContain('Recent')
    }
  })
  it('is pasted, and a browser that refuses is explained', async () => {
    const { keybay, wallet } = await rich()
    const to = stranger()
    const readText = vi.fn(async () => ` ${to}\n`)
    vi.stubGlobal('navigator', { ...navigator, clipboard: { readText }, language: 'en' })
    const { sees, press, fields } = show(
      keybay,
      <>
        <SendView address={wallet.address} />
        <ToastRegion />
      </>,
    )
    await sees('available')
    press('Paste')
    await expect.poll(() => fields()[0]?.value).toBe(to)
    readText.mockRejectedValueOnce(new DOMException('', 'NotAllowedError'))
    press('Paste')
    await sees('Paste with the keyboard.')
  })
})

/** A camera and a reader of codes, which the test's browser does not have. */
function stubCamera(getUserMedia: () => Promise<unknown>, codes: () => readonly string[]) {
  const mediaDevices = { enumerateDevices: async () => [{ kind: 'videoinput' }], getUserMedia }
  vi.stubGlobal('navigator', { ...navigator, mediaDevices, language: 'en' })
  class BarcodeDetector {
    static getSupportedFormats = async () => ['qr_code']
    detect = async () => codes().map(rawValue => ({ rawValue }))
  }
  vi.stubGlobal('BarcodeDetector', BarcodeDetector)
  vi.spyOn(HTMLMediaElement.prototype, 'play').mockResolvedValue(undefined)
}

describe('the scanner', () => {
  it('enters the address of the only code with one, tells of others, and turns the camera off', async () => {
    const { keybay, wallet } = await rich()
    const to = stranger()
    const stop = vi.fn()
    const stream = Object.assign(new MediaStream(), { getTracks: () => [{ stop }] })
    let codes = ['https://example.com']
    stubCamera(
      async () => stream,
      () => codes,
    )
    const { sees, press, fields } = show(keybay, <SendView address={wallet.address} />)
    await sees('Scan QR code')
    press('Scan QR code')
    await sees('This QR code has no Solana address.')
    expect(stop).not.toHaveBeenCalled()
    codes = [to, `solana:${stranger()}`]
    await sees('There are several QR codes.')
    for (const code of [
      `solana:https://evil.example/${to}`,
      `javascript:${to}`,
      `${to}\n${stranger()}`,
      'x'.repeat(4296),
    ]) {
      codes = [code]
      await sees('This QR code has no Solana address.')
    }
    expect(fields()[0]?.value).toBe('')
    codes = ['https://example.com', `solana:${to}?amount=100&memo=${stranger()}&spl-token=${stranger()}`]
    await expect.poll(() => fields()[0]?.value).toBe(to)
    expect(fields()[1]?.value).toBe('')
    await expect.poll(() => stop.mock.calls.length).toBe(1)
  })
  it.each([
    ['NotAllowedError', 'The camera is blocked.'],
    ['NotFoundError', 'This device has no camera.'],
    ['NotReadableError', 'The camera did not start.'],
  ])('says what to do after %s', async (name, words) => {
    const { keybay, wallet } = await rich()
    stubCamera(
      () => Promise.reject(new DOMException('', name)),
      () => [],
    )
    const { sees, press } = show(keybay, <SendView address={wallet.address} />)
    await sees('Scan QR code')
    press('Scan QR code')
    await sees(words)
  })
  it('is absent in a browser that cannot read codes', async () => {
    const { keybay, wallet } = await rich()
    const { sees, element } = show(keybay, <SendView address={wallet.address} />)
    await sees('available')
    expect(element.textContent).not.toContain('Scan QR code')
  })
})

describe('TokensView', () => {
  it('lists tokens by the names that the host knows, with the host’s links, and translates its own texts', async () => {
    const { keybay, wallet } = await rich()
    const known = await mint(keybay, wallet.address)
    const ownSlots: PanelSlots = {
      token: mint => (mint === known ? { symbol: 'βήτα', name: 'γάμμα' } : undefined),
      sendToken: link => (
        <a href={`#${link.mint}`} aria-label={link.label}>
          {link.text}
        </a>
      ),
      tokens: ({ reload }) => (
        <button type="button" onClick={reload}>
          δ
        </button>
      ),
    }
    const { element, sees, untranslated } = show(
      keybay,
      <TokensView address={wallet.address} slots={ownSlots} />,
      'pseudo',
    )
    await sees('100 βήτα')
    await sees('γάμμα')
    expect(element.querySelector('a')?.getAttribute('aria-label')).toBe('⟦Sénd βήτα⟧')
    expect(element.querySelector('a')?.hash).toBe(`#${known}`)
    expect(untranslated(known, '100 βήτα', 'γάμμα', 'δ')).toEqual([])
  })
  it('says that there are none, and shows what the host says where they cannot be loaded', async () => {
    const { keybay } = await rich()
    const { sees } = show(keybay, <TokensView address={stranger()} />)
    await sees('No tokens yet.')
    const failing = show(
      keybay,
      <TokensView address="1" slots={{ failure: ({ title }) => <p>{`Later: ${title}`}</p> }} />,
    )
    await failing.sees('Later: The tokens could not be loaded.')
  })
})
