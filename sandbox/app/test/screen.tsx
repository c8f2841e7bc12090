/** Renders parts of the app in happy-dom, with a real kit, a real chain, and a wallet that signs without a window. */
import { createKeybay, definePlugin, type WalletConnector } from '@keybay/kernel'
import { type MockWallet, mockWallet } from '@keybay/kernel/testing'
import { KeybayProvider } from '@keybay/react'
import { type Chain, startChain } from '@keybay/sandbox-chain'
import { solana } from '@keybay/solana'
import type { ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'

/** Returns the address of the wallet's account, which it connects for that. */
export async function getAddress({ wallet }: MockWallet): Promise<string> {
  const connected = await wallet.features['standard:connect']?.connect()
  return connected?.accounts[0]?.address ?? ''
}

/** Counts the transactions that the wallet has signed. */
export function countSigned({ requests }: MockWallet): number {
  return requests.filter(({ feature }) => feature === 'solana:signTransaction').length
}

/** Writes the page's configuration as the app's server does. Call it before the app's modules are imported. */
export function configurePage(values: Readonly<Record<string, string>> = {}): void {
  const urls = ['chain', 'chain-ws', 'api', 'frame', 'custody', 'relay', 'phone'].map(
    name => [`${name}-url`, 'http://127.0.0.1:9'] as const,
  )
  for (const [name, content] of Object.entries({ ...Object.fromEntries(urls), 'environment-id': 'local', ...values })) {
    const meta = document.createElement('meta')
    meta.name = `keybay:${name}`
    meta.content = content
    document.head.append(meta)
  }
}

/** Renders below a provider. Returns ways to find, fill and press what a user sees. */
export function show(keybay: Parameters<typeof KeybayProvider>[0]['keybay'], children: ReactNode) {
  const element = document.body.appendChild(document.createElement('main'))
  const root = createRoot(element)
  closing.push(() => {
    root.unmount()
    element.remove()
  })
  root.render(<KeybayProvider keybay={keybay}>{children}</KeybayProvider>)
  const control = (label: string) => {
    const found = [...element.querySelectorAll('label')].find(({ textContent }) => textContent?.trim() === label)
    const input = found && document.getElementById(found.htmlFor)
    if (!(input instanceof HTMLInputElement)) throw new Error(`No field “${label}”`)
    return input
  }
  const button = (name: string) =>
    [...element.querySelectorAll('button')].find(
      found => found.getAttribute('aria-label') === name || found.textContent?.trim() === name,
    )
  return {
    element,
    control,
    button,
    /** Waits until the text is there. */
    sees: (text: string | RegExp) => expect.poll(() => element.textContent, { timeout: WAIT_MS }).toMatch(text),
    fill(label: string, text: string) {
      const input = control(label)
      // React ignores a value that was set on its own wrapper of the property.
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, text)
      input.dispatchEvent(new Event('input', { bubbles: true }))
    },
    press(name: string) {
      const found = button(name)
      if (!found) throw new Error(`No button “${name}”`)
      found.click()
    },
  }
}

/** How long a text may take to appear, in ms. */
const WAIT_MS = 10_000
const closing: (() => unknown)[] = []
/** Starts a chain for a file; what a test opened is closed after it. */
export function setUpScreen() {
  let chain: Chain
  beforeAll(async () => {
    chain = await startChain({ port: 0, slotMs: 50 })
  })
  afterAll(() => chain.stop())
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close()
    localStorage.clear()
  })
  return {
    get chain() {
      return chain
    },
    /** Opens an app whose connected wallet holds this many SOL. @param others wallets that are not connected */
    async open(sol = 2n, others: readonly WalletConnector[] = []) {
      const wallet = mockWallet()
      const endpoints = { localnet: { rpcUrl: chain.url } }
      const wallets = definePlugin({
        id: 'wallets',
        version: '0.1.0',
        setup: () => ({ connectors: [wallet.connector, ...others] }),
      })
      const keybay = createKeybay({
        appName: 'Test',
        logLevel: 'silent',
        plugins: [solana({ cluster: 'localnet', endpoints }), wallets],
      })
      closing.push(keybay.dispose)
      await keybay.connect(wallet.connector.id)
      const address = await getAddress(wallet)
      if (sol > 0n) await keybay.solana.requestAirdrop(address, sol * 1_000_000_000n)
      return { keybay, wallet, address }
    },
  }
}
