// @vitest-environment happy-dom
import { type ReactNode, StrictMode } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { renderToString } from 'react-dom/server'
import { describe, expect, it, vi } from 'vitest'
import { KeybayProvider, useConnect, useConnections, useConnectors, useSession } from '../src/index.js'
import { fakeWallet, freshPages, host, keep, page, render, settle, Use } from './helpers.js'

freshPages()

const seen: string[] = []

function List(): ReactNode {
  const ids = useConnectors().map(({ id }) => id)
  const connected = useConnections().map(({ connectorId }) => connectorId)
  const { status } = useConnect()
  const text = `${ids} | ${connected} | ${status}`
  seen.push(text)
  return <p>{text}</p>
}

function Status(): ReactNode {
  return <p>{useSession().status}</p>
}
const SIGNED_IN = { status: 'authenticated', userId: 'u' } as const
const TOKEN = { value: 't', expiresAt: 9e15 }

/** Signs in on an earlier page, and closes it. */
async function signIn(): Promise<void> {
  const { keybay, kernel } = host()
  keybay.connectors.list()
  await settle()
  await kernel.session.set(SIGNED_IN, TOKEN)
  keybay.dispose()
}

describe('hydration', () => {
  it('[S13.7] server rendering keeps the session: the server shows none, and the page shows the stored one', async () => {
    await signIn()
    const html = renderToString(
      <KeybayProvider keybay={host().keybay}>
        <Status />
      </KeybayProvider>,
    )
    expect(html).toBe('<p>anonymous</p>')
    const { keybay } = host()
    const element = page()
    element.innerHTML = html
    const mismatch = vi.fn()
    const root = (
      <KeybayProvider keybay={keybay}>
        <Status />
      </KeybayProvider>
    )
    await settle(() => keep(hydrateRoot(element, root, { onRecoverableError: mismatch })))
    expect(element.textContent).toBe('authenticated')
    expect(await keybay.session.bearer()).toBe('t')
    expect(mismatch).not.toHaveBeenCalled()
  })
  it('hydrates the server’s markup without a mismatch, in two renders', async () => {
    const html = renderToString(
      <KeybayProvider keybay={host([fakeWallet('a').connector]).keybay}>
        <List />
      </KeybayProvider>,
    )
    expect(html).toBe('<p>a |  | idle</p>')
    const { keybay, kernel } = host([fakeWallet('a').connector])
    kernel.onStart(() => kernel.connectors.add(fakeWallet('b').connector))
    // By now the page knows more than the server did.
    await keybay.connect('a')
    const element = page()
    element.innerHTML = html
    const complaint = vi.spyOn(console, 'error')
    const mismatch = vi.fn()
    seen.length = 0
    await settle(() =>
      keep(
        hydrateRoot(
          element,
          <KeybayProvider keybay={keybay}>
            <List />
          </KeybayProvider>,
          { onRecoverableError: mismatch },
        ),
      ),
    )
    expect(seen).toEqual(['a |  | idle', 'a,b | a | success'])
    expect(element.textContent).toBe('a,b | a | success')
    expect(mismatch).not.toHaveBeenCalled()
    expect(complaint).not.toHaveBeenCalled()
  })
})

describe('StrictMode', () => {
  it('[S13.7] StrictMode, which mounts and unmounts everything twice, keeps the session', async () => {
    await signIn()
    const { keybay, kernel } = host()
    const strict = (
      <StrictMode>
        <KeybayProvider keybay={keybay}>
          <Status />
        </KeybayProvider>
      </StrictMode>
    )
    for (const element of [page(), page()]) {
      const root = keep(createRoot(element))
      await settle(() => root.render(strict))
      expect(element.textContent).toBe('authenticated')
      await settle(() => root.unmount())
    }
    expect(keybay.session.current).toEqual(SIGNED_IN)
    expect(await kernel.session.bearer()).toBe('t')
  })
  it('hooks keep working when StrictMode mounts them twice', async () => {
    const wallet = fakeWallet('a')
    const { keybay, kernel } = host([wallet.connector])
    const element = page()
    await settle(() =>
      keep(createRoot(element)).render(
        <StrictMode>
          <KeybayProvider keybay={keybay}>
            <List />
          </KeybayProvider>
        </StrictMode>,
      ),
    )
    expect(element.textContent).toBe('a |  | idle')
    await settle(() => kernel.connectors.add(fakeWallet('b').connector))
    await settle(() => keybay.connect('a'))
    expect(element.textContent).toBe('a,b | a | success')
  })
})

it('does not dispose the instance when its provider unmounts', async () => {
  const { keybay } = host([fakeWallet('a').connector])
  const first = await render(keybay, <List />)
  await settle(() => keybay.connect('a'))
  await settle(() => first.root.unmount())
  expect(keybay.connections.list()).toHaveLength(1)
  const second = await render(keybay, <List />)
  expect(second.element.textContent).toBe('a | a | success')
})

it('keeps two Keybay instances in one page separate', async () => {
  const one = host([fakeWallet('a').connector], 'one')
  const two = host([fakeWallet('b').connector], 'two')
  const outer = await render(one.keybay, <List />)
  const inner = await render(two.keybay, <List />)
  await settle(() => one.keybay.connect('a'))
  expect([outer.element.textContent, inner.element.textContent]).toEqual(['a | a | success', 'b |  | idle'])
})

it('hooks follow a provider that gets another instance', async () => {
  const one = host([fakeWallet('a').connector], 'one')
  const two = host([fakeWallet('b').connector], 'two')
  let ids: readonly string[] = []
  const read = () => {
    ids = useConnectors().map(({ id }) => id)
  }
  const view = await render(one.keybay, <Use hook={read} />)
  await settle(() =>
    view.root.render(
      <KeybayProvider keybay={two.keybay}>
        <Use hook={read} />
      </KeybayProvider>,
    ),
  )
  expect(ids).toEqual(['b'])
  await settle(() => two.kernel.connectors.add(fakeWallet('c').connector))
  expect(ids).toEqual(['b', 'c'])
})
