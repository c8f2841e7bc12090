import { createKeybay, definePlugin } from '@keybay/kernel'
import type { ReactNode } from 'react'
import { renderToString } from 'react-dom/server'
import { expect, it, vi } from 'vitest'
import {
  KeybayProvider,
  useAccounts,
  useActiveAccount,
  useConnect,
  useConnection,
  useConnections,
  useConnectors,
  usePrompts,
  useSession,
  useSignMessage,
} from '../src/index.js'
import { AccountButton, ConnectDialog, PromptDialog } from '../src/ui/index.js'
import { fakeWallet, login } from './helpers.js'

function Everything(): ReactNode {
  return (
    <pre>
      {JSON.stringify([
        useConnectors().map(({ id }) => id),
        useConnectors({ kind: 'login' }).map(({ id }) => id),
        useConnections(),
        useConnection('a') ?? 'none',
        useAccounts(),
        useActiveAccount().account ?? 'none',
        useSession().status,
        usePrompts(),
        useConnect().status,
        useSignMessage().status,
      ])}
    </pre>
  )
}

it('renders the declared connectors on a server, without connections and without side effects', () => {
  expect(typeof window).toBe('undefined')
  const start = vi.fn()
  const plugin = definePlugin({
    id: 'test',
    version: '0.1.0',
    setup(kernel) {
      kernel.onStart(start)
      kernel.connectors.add(fakeWallet('late').connector)
      return { connectors: [fakeWallet('a').connector, login('mail')] }
    },
  })
  const keybay = createKeybay({ appName: 'Test', logLevel: 'silent', plugins: [plugin] })
  const html = renderToString(
    <KeybayProvider keybay={keybay}>
      <Everything />
      <ConnectDialog open onClose={() => {}} />
      <AccountButton />
      <PromptDialog />
    </KeybayProvider>,
  )
  expect(html.replaceAll('&quot;', '"')).toContain(
    '[["a","mail"],["mail"],[],"none",[],"none","anonymous",[],"idle","idle"]',
  )
  expect(html).toContain('Connect')
  expect(start).not.toHaveBeenCalled()
})

it('a hook without a provider names the missing provider', () => {
  expect(() => renderToString(<Everything />)).toThrow('No <KeybayProvider> above')
})
