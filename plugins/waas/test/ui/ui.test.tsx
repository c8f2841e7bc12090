// @vitest-environment happy-dom
/** The views over the real kit. A stand-in plugin describes the wallets and reports progress. */
import { createKeybay, definePlugin, type Kernel } from '@keybay/kernel'
import { mockWallet } from '@keybay/kernel/testing'
import { KeybayProvider } from '@keybay/react'
import { getUntranslated } from '@keybay/react/testing'
import { loadMessages, type UiLocale, UiProvider } from '@keybay/react/ui'
import type { ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { WaasWallet } from '../../src/protocol/index.js'
import {
  BackupBadge,
  BackupGate,
  BackupNudge,
  SecondDevice,
  SigningStatus,
  type WalletLink,
  type WalletSlots,
} from '../../src/ui/index.js'
import { standInWallet } from '../client/stand-in-wallet.js'

const { accountAddress: address } = standInWallet
const SHORT = `${address.slice(0, 6)}…${address.slice(-6)}`

const closing: (() => unknown)[] = []
afterEach(() => {
  for (const close of closing.splice(0).reverse()) close()
})

/** Opens an app whose user has these wallets. */
function openHost(wallets: readonly WaasWallet[] = []) {
  let kernel: Kernel | undefined
  const waas = definePlugin({
    id: 'waas',
    version: '0.1.0',
    setup(given) {
      kernel = given
      const token = { value: 'token', expiresAt: given.clock.now() + 3_600_000 }
      given.onStart(() => void given.session.set({ status: 'authenticated', userId: 'mara' }, token))
      return {
        api: { wallets: async () => wallets },
        connectors: [{ ...mockWallet({ name: 'αβγ' }).connector, id: 'waas' }],
      }
    },
  })
  const keybay = createKeybay({ appName: 'Test', logLevel: 'silent', environmentId: 'test', plugins: [waas] })
  closing.push(keybay.dispose)
  keybay.connectors.list()
  if (!kernel) throw new Error('setup did not run')
  return { keybay, events: kernel.events }
}

function show({ keybay }: ReturnType<typeof openHost>, locale: UiLocale = 'en') {
  const element = document.body.appendChild(document.createElement('main'))
  const root = createRoot(element)
  closing.push(() => {
    root.unmount()
    element.remove()
  })
  const render = (children: ReactNode) =>
    root.render(
      <KeybayProvider keybay={keybay}>
        <UiProvider locale={locale}>{children}</UiProvider>
      </KeybayProvider>,
    )
  const sees = (text: string) => expect.poll(() => element.textContent).toContain(text)
  return { element, render, sees }
}

/** Renders the links as text, and records them. */
function recordLinks() {
  const links: WalletLink[] = []
  const slots: WalletSlots = {
    link(link) {
      links.push(link)
      return <a href={`#${link.to}`}>{link.text}</a>
    },
  }
  return { links, slots }
}

function vary(changes: Partial<WaasWallet>): WaasWallet {
  return { ...standInWallet, ...changes }
}

/** Wallet in a browser that was added: another one has the shares that make backups. */
const UNVERIFIED = vary({
  backup: { state: 'unverified', providers: [] },
  sets: [{ setId: 'added', kind: 'device', createdAt: 0, revoked: false, here: true }],
})
const FRAGILE = vary({ thresholdSignatureScheme: 'TWO_OF_TWO', backup: { state: 'stale', providers: [] } })

beforeAll(async () => {
  for (const section of ['ui', 'backup', 'signing']) await loadMessages('pseudo', section)
})

describe('the pseudo-locale', () => {
  it('finds no text about backups and devices that is not translated', async () => {
    const { element, render, sees } = show(openHost([standInWallet]), 'pseudo')
    const { slots } = recordLinks()
    render(
      <>
        <BackupNudge wallet={standInWallet} slots={slots} />
        <BackupNudge wallet={UNVERIFIED} slots={slots} />
        <BackupNudge wallet={FRAGILE} slots={slots} />
        <BackupBadge wallet={standInWallet} />
        <BackupBadge wallet={UNVERIFIED} />
        <BackupBadge wallet={FRAGILE} />
        <SecondDevice wallet={vary({ here: false })} slots={slots} />
        <SecondDevice wallet={vary({ here: false, thresholdSignatureScheme: 'TWO_OF_TWO' })} slots={slots} />
        <BackupGate address={address} balance={2n} hideAbove={1n} limit="1 ◎" slots={slots}>
          0
        </BackupGate>
      </>,
    )
    await sees('Báck úp yóúr wállét tó récéívé móré')
    await sees('ónly thé óthér dévícé cán ádd thís brówsér')
    expect(element.querySelectorAll('.keybay-notice')).toHaveLength(3)
    expect(getUntranslated(element, [SHORT])).toEqual([])
  })
  it('finds no text about the work of a wallet that is not translated', async () => {
    const host = openHost()
    const { element, render, sees } = show(host, 'pseudo')
    render(<SigningStatus state="pending" />)
    await sees('Yóúr wállét ís wórkíng')
    host.events.emit('waas:consent', { operation: 'signMessage', address })
    await sees('Cónfírm ín thé wállét')
    for (const step of ['deal', 'authorise']) {
      host.events.emit('waas:progress', { operation: 'reshare', address, step, number: 1, of: 4 })
      await expect.poll(() => element.querySelectorAll('li')).toHaveLength(4)
      expect(getUntranslated(element, [])).toEqual([])
    }
  })
})

describe('BackupNudge', () => {
  it('offers the backup, and a link to other ways where the app has one', async () => {
    const { element, render, sees } = show(openHost())
    const { links, slots } = recordLinks()
    render(<BackupNudge wallet={standInWallet} slots={slots} />)
    await sees('This wallet has no backup.')
    expect(element.querySelector('button')?.textContent).toBe('Back up now')
    expect(links.at(-1)).toEqual({ to: 'backup', text: 'Other ways', address })
  })
  it('offers to verify a backup that another browser may have made', async () => {
    const { element, render, sees } = show(openHost())
    const { links, slots } = recordLinks()
    render(<BackupNudge wallet={UNVERIFIED} slots={slots} />)
    await sees('You have not verified this wallet’s backup in this browser.')
    expect(element.querySelector('button')).toBeNull()
    expect(links.at(-1)).toEqual({ to: 'verify', text: 'Verify it now', address })
  })
  it('shows nothing for a wallet with a current backup, and for one of another browser', async () => {
    const { element, render, sees } = show(openHost())
    render(
      <>
        <BackupNudge wallet={vary({ backup: { state: 'current', providers: ['external'] } })} />
        <BackupNudge wallet={vary({ here: false })} />
        <p>End</p>
      </>,
    )
    await sees('End')
    expect(element.textContent).toBe('End')
  })
})

describe('BackupBadge', () => {
  it.each([
    ['a wallet of two shares, as after a sign-in', { thresholdSignatureScheme: 'TWO_OF_TWO' }, 'No backup'],
    ['a wallet without a backup', {}, 'No backup'],
    ['an old backup', { backup: { state: 'stale', providers: ['external'] } }, 'Backup out of date'],
    ['an unverified backup', { backup: { state: 'unverified', providers: [] } }, 'Backup not verified'],
  ] as const)('marks %s', async (_, changes, badge) => {
    const { element, render, sees } = show(openHost())
    render(<BackupBadge wallet={vary(changes)} />)
    await sees(badge)
    expect(element.querySelector('.keybay-tag-bad')?.textContent).toBe(badge)
  })
  it('shows nothing for a wallet with a current backup, and for one of another browser', async () => {
    const { element, render, sees } = show(openHost())
    render(
      <>
        <BackupBadge wallet={vary({ backup: { state: 'current', providers: ['external'] } })} />
        <BackupBadge wallet={vary({ here: false })} />
        <p>End</p>
      </>,
    )
    await sees('End')
    expect(element.textContent).toBe('End')
  })
})

it('two wallets of another device have cards with different names', async () => {
  const { element, render, sees } = show(openHost())
  render(
    ['first', 'other'].map(id => (
      <SecondDevice key={id} wallet={vary({ here: false, walletId: id, accountAddress: `${id}${address}` })} />
    )),
  )
  await sees('Your wallet is on another device')
  const names = [...element.querySelectorAll('section')].map(
    card => element.querySelector(`[id="${card.getAttribute('aria-labelledby')}"]`)?.textContent,
  )
  expect(names).toEqual([
    expect.stringMatching(/^Your wallet is on another device: first/),
    expect.stringMatching(/^Your wallet is on another device: other/),
  ])
})

describe('SigningStatus', () => {
  it('shows the steps of an operation until its end, and none of them when the next one begins', async () => {
    const host = openHost()
    const { element, render, sees } = show(host)
    const getStates = () =>
      [...element.querySelectorAll('li')].map(
        ({ className }) => /keybay-progress-(done|doing|waiting)/.exec(className)?.[1],
      )
    render(<SigningStatus state="idle" address={address} />)
    await expect.poll(() => element.textContent).toBe('')
    render(<SigningStatus state="pending" address={address} />)
    await sees('Your wallet is working …')
    host.events.emit('waas:progress', { operation: 'reshare', address, step: 'backup', number: 2, of: 4 })
    await expect.poll(getStates).toEqual(['done', 'doing', 'waiting', 'waiting'])
    expect(element.textContent).not.toContain('Your wallet is working')
    host.events.emit('waas:progress', { operation: 'reshare', address: 'another', step: 'done', number: 4, of: 4 })
    render(<SigningStatus state="success" address={address} />)
    await expect.poll(getStates).toEqual(['done', 'done', 'done', 'done'])
    render(<SigningStatus state="pending" address={address} />)
    await sees('Your wallet is working …')
    expect(getStates()).toEqual([])
  })
})

it('shows numbers and addresses in their own direction in Arabic', async () => {
  for (const section of ['ui', 'backup']) await loadMessages('ar', section)
  const { element, render, sees } = show(openHost([standInWallet]), 'ar')
  render(
    <>
      <SecondDevice wallet={vary({ here: false })} />
      <BackupGate address={address} balance={2n} hideAbove={1n} limit="1 SOL">
        0
      </BackupGate>
    </>,
  )
  await sees('أنشئ نسخة احتياطية لمحفظتك لتستلم المزيد')
  await expect
    .poll(() => [...element.querySelectorAll('bdi')].map(({ textContent }) => textContent))
    .toEqual([SHORT, '1 SOL'])
  expect(element.querySelector('.keybay')?.getAttribute('dir')).toBe('rtl')
})
