/** The hooks of `@keybay/account/react`, with the real kit and API. */
import './dom.js'
import { useCredentials, useMfa, useSecurityLog, useSessions, useSignIn, useUser } from '@keybay/account/react'
import { createKeybay } from '@keybay/kernel'
import { KeybayProvider } from '@keybay/react'
import { act, type ReactNode } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { renderToString } from 'react-dom/server'
import { afterAll, afterEach, beforeEach, expect, it, vi } from 'vitest'
import { answerLinkQuestions, byEmail, fresh, openPage, type Page, startWorld } from './support.js'
import { refusal, testWallet } from './wallet.js'

vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
const world = await startWorld()
afterAll(world.stop)
let roots: Root[] = []
beforeEach(fresh)
afterEach(async () => {
  await act(async () => {
    for (const root of roots) root.unmount()
  })
  roots = []
})

function Probe({ run }: { readonly run: () => void }): ReactNode {
  run()
  return null
}
async function render<T>(page: Page, useIt: () => T) {
  const seen: T[] = []
  const root = createRoot(document.createElement('div'))
  roots.push(root)
  await act(async () => {
    root.render(
      <KeybayProvider keybay={page}>
        <Probe run={() => seen.push(useIt())} />
      </KeybayProvider>,
    )
  })
  return {
    seen,
    get now(): T {
      const last = seen.at(-1)
      if (last === undefined) throw new Error('Nothing rendered')
      return last
    },
    async until(holds: (now: T) => boolean) {
      // React renders in real time.
      vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', false)
      await expect.poll(() => holds(this.now), { interval: 5 }).toBe(true)
      vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
    },
  }
}

async function signedIn(page: Page, email: string) {
  await act(async () => {
    await byEmail(world, page, email)
  })
}

it('the account hooks sign in, show and change the user, and sign out', async () => {
  const wallet = testWallet()
  const page = openPage(world, { wallets: [wallet.connector] })
  const view = await render(page, () => ({ signIn: useSignIn(), user: useUser(), session: useSessions() }))
  expect(view.now.user).toMatchObject({ user: undefined, status: 'none' })
  act(() => view.now.signIn.run('test-wallet'))
  expect(view.now.signIn.status).toBe('pending')
  await view.until(({ signIn, session }) => signIn.status === 'success' && session.sessions?.length === 1)
  expect(view.now.signIn.data).toEqual(page.session.current)
  expect(view.now.user.user?.credentials).toMatchObject([{ address: wallet.address }])
  act(() => view.now.user.update.run({ username: 'hooked' }))
  await view.until(({ user }) => user.update.status === 'success')
  expect(view.now.user.user?.username).toBe('hooked')
  await act(() => view.now.session.signOut())
  await view.until(({ session }) => session.status === 'anonymous')
  expect(view.now.user).toMatchObject({ user: undefined, status: 'none' })
  expect(view.now.session.sessions).toBeUndefined()
})
it('useSignIn keeps a refusal in its state until reset', async () => {
  const wallet = testWallet()
  wallet.refuses['solana:signMessage'] = refusal
  const view = await render(openPage(world, { wallets: [wallet.connector] }), useSignIn)
  act(() => view.now.run('test-wallet'))
  await view.until(({ status }) => status === 'error')
  expect(view.now.error).toMatchObject({ code: 'user_rejected' })
  act(() => view.now.reset())
  expect(view.now.status).toBe('idle')
})
it('useCredentials links, renames and unlinks credentials', async () => {
  const wallet = testWallet()
  const page = openPage(world, { wallets: [wallet.connector] })
  answerLinkQuestions(page)
  const view = await render(page, useCredentials)
  expect(view.now.list).toEqual([])
  await signedIn(page, 'hooks@example.com')
  await view.until(({ list }) => list.length === 1)
  act(() => view.now.link.run('test-wallet'))
  await view.until(({ list }) => list.length === 2)
  const [email, linked] = view.now.list
  act(() => view.now.rename.run(linked?.id ?? '', 'Savings'))
  await view.until(({ list }) => list[1]?.walletName === 'Savings')
  act(() => view.now.unlink.run(email?.id ?? ''))
  await view.until(({ list }) => list.length === 1)
  act(() => view.now.unlink.run(linked?.id ?? ''))
  await view.until(({ unlink }) => unlink.status === 'error')
  expect(view.now.unlink.error).toMatchObject({ code: 'last_credential' })
})
it('useMfa sets up a second factor, and useSessions lists and ends sessions', async () => {
  const page = openPage(world, { wallets: [testWallet().connector] })
  answerLinkQuestions(page)
  const view = await render(page, () => ({ mfa: useMfa(), session: useSessions(), credentials: useCredentials() }))
  await signedIn(page, 'hooks-mfa@example.com')
  act(() => view.now.credentials.link.run('test-wallet'))
  await view.until(({ credentials }) => credentials.link.status === 'success')
  act(() => view.now.mfa.add.run('email', 'Mail'))
  await view.until(({ mfa }) => mfa.add.status === 'success')
  const code = await world.codeFor('hooks-mfa@example.com')
  await act(async () => {
    await view.now.mfa.add.data?.confirm(code)
  })
  await view.until(({ mfa }) => mfa.devices.length === 1)
  expect(view.now.mfa).toMatchObject({ devices: [{ name: 'Mail', method: 'email' }], recoveryCodesLeft: 10 })
  await view.until(({ session }) => session.sessions?.length === 1)
  act(() => view.now.session.endOthers.run())
  await view.until(({ session }) => session.endOthers.status === 'success')
  expect(view.now.session.endOthers.data).toBe(0)
  const [current] = view.now.session.sessions ?? []
  act(() => view.now.session.end.run(current?.id ?? ''))
  await view.until(({ session }) => session.status === 'anonymous')
})
it('an account hook renders a component only for the data it shows', async () => {
  const page = openPage(world)
  await byEmail(world, page, 'renders@example.com')
  const other = await render(page, useMfa)
  await other.until(({ recoveryCodesLeft }) => recoveryCodesLeft === 0)
  const idle = await render(page, useSignIn)
  const before = idle.seen.length
  await act(async () => {
    await page.account.updateUser({ metadata: { a: 1 } })
  })
  expect(idle.seen).toHaveLength(before)
})

function Everything() {
  const { status } = useUser()
  return <p>{`${status} ${useCredentials().list.length} ${useSessions().status} ${useMfa().devices.length}`}</p>
}

function Lone() {
  useSignIn()
  return null
}
it('useUser renders once each for sign-in, change and sign-out', async () => {
  const page = openPage(world)
  const view = await render(page, useUser)
  const before = view.seen.length
  await signedIn(page, 'once@example.com')
  await view.until(({ status }) => status === 'ready')
  expect(view.seen).toHaveLength(before + 1)
  await act(async () => {
    await page.account.updateUser({ metadata: { a: 1 } })
  })
  await view.until(({ user }) => user?.metadata.a === 1)
  expect(view.seen).toHaveLength(before + 2)
  await act(() => page.account.signOut())
  await view.until(({ status }) => status === 'none')
  expect(view.seen).toHaveLength(before + 3)
})
it('account hooks are anonymous in server rendering and send no request', async () => {
  const page = openPage(world)
  expect(
    renderToString(
      <KeybayProvider keybay={page}>
        <Everything />
      </KeybayProvider>,
    ),
  ).toBe('<p>none 0 anonymous 0</p>')
})
it('an account hook without the account plugin names the missing plugin', async () => {
  const bare = createKeybay({ appName: 'Acme', logLevel: 'silent', plugins: [] })
  expect(() =>
    renderToString(
      <KeybayProvider keybay={bare}>
        <Lone />
      </KeybayProvider>,
    ),
  ).toThrow("add account() of '@keybay/account' to plugins")
})
it('useSecurityLog pages through the events of the signed-in user, and keeps them after a failed request', async () => {
  const page = openPage(world)
  const view = await render(page, useSecurityLog)
  expect(view.now).toMatchObject({ status: 'none', events: undefined, hasMore: false })
  await signedIn(page, 'hooks-log@example.com')
  await view.until(({ status }) => status === 'ready')
  expect(view.now).toMatchObject({ events: [{ kind: 'new-device', detail: 'email' }], hasMore: false })
  const path = '/users/me/credentials/email'
  const link = async (email: string) => {
    const sent = await page.account.request(path, { method: 'POST', body: { email } })
    const body = { verificationId: Object(sent).verificationId, code: await world.codeFor(email) }
    await page.account.request(`${path}/verify`, { method: 'POST', body })
  }
  await Promise.all(Array.from({ length: 20 }, (_, number) => link(`hooks-log${number}@example.com`)))
  act(() => view.now.refresh())
  await view.until(({ events, status }) => status === 'ready' && events?.length === 20)
  const { fetch } = globalThis
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('offline')))
  act(() => view.now.more())
  await view.until(({ status }) => status === 'error')
  expect(view.now).toMatchObject({ error: { code: 'request_failed' }, hasMore: true })
  expect(view.now.events).toHaveLength(20)
  vi.stubGlobal('fetch', fetch)
  act(() => view.now.more())
  await view.until(({ status, events }) => status === 'ready' && events?.length === 21)
  expect(view.now.hasMore).toBe(false)
  expect(view.now.events?.at(-1)).toMatchObject({ kind: 'new-device' })
  await act(() => page.account.signOut())
  await view.until(({ status, events }) => status === 'none' && events === undefined)
})
