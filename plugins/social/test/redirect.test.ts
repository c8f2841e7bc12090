// @vitest-environment happy-dom
/** Leaving the page and coming back, as several pages on the same storage. */
import { expect, it, vi } from 'vitest'
import { completion, getError, getLinkQuestion, setUpWorld, until } from './page.js'

const world = setUpWorld()
const PAGE = '/wallet?tab=2#top'

async function leave(id: 'google' | 'telegram' = 'google') {
  const { keybay } = world.open({ mode: 'redirect' }, PAGE)
  const before = world.service.flows.length
  const visits = world.left.length
  keybay.connect(`social:${id}`).catch(() => {}) // rejects when the page is disposed
  await until(() => world.left.length > visits)
  const flow = world.service.flows[before]
  if (!flow) throw new Error('no flow')
  expect(world.left.at(-1)).toBe(`https://${id}.example/authorize?state=${flow.stateHash}`)
  return flow
}

function open(address: string) {
  const page = world.open({ mode: 'redirect' }, address.replace(location.origin, ''))
  const failure = () => page.keybay.attempts.list().at(-1)?.error
  return { ...page, failure }
}

it('[S2.5] [S13.6] a social redirect leaves the page, and resumes at the same URL', async () => {
  const flow = await leave()
  expect(flow.mode).toBe('redirect')
  expect(world.popups).toEqual([])
  const back = await world.comeBack(`/auth/social/google?code=abc&state=${flow.stateHash}`)
  // The URL has nothing of the response.
  expect(back).toBe(`${location.origin}/wallet?tab=2&keybay_social=google.${flow.stateHash}#top`)
  const { keybay } = open(back)
  await until(() => keybay.session.current.status === 'authenticated')
  expect(location.href).toBe(`${location.origin}${PAGE}`)
  expect(keybay.attempts.get('social:google')?.status).toBe('succeeded')
  expect(world.service.exchanges.at(-1)?.body).toMatchObject({ flowId: flow.flowId, params: { code: 'abc' } })
})
it('[S13.6] survives a reload of the return page, but uses a social response once', async () => {
  const flow = await leave()
  const url = `/auth/social/google?code=abc&state=${flow.stateHash}`
  const back = await world.comeBack(url)
  expect(await world.comeBack(url)).toBe(back)
  const page = open(back)
  await until(() => page.keybay.session.current.status === 'authenticated')
  await page.keybay.account.signOut()
  // The same URL again, then the return page again.
  const replay = open(back)
  await until(replay.failure)
  expect(replay.failure()).toMatchObject({ code: 'redirect_unexpected' })
  const again = open(await world.comeBack(url))
  await until(again.failure)
  expect(again.failure()).toMatchObject({ code: 'redirect_unexpected' })
  expect(again.keybay.session.current.status).toBe('anonymous')
})
it('a social redirect gives each of two tabs at one provider its own response', async () => {
  const flows = [await leave(), await leave()]
  for (const { flowId, stateHash } of flows) {
    const { keybay } = open(await world.comeBack(`/auth/social/google?code=abc&state=${stateHash}`))
    // The first response signed the user in, so the second one links.
    if (flowId !== flows[0]?.flowId) (await getLinkQuestion(keybay)).answer('add')
    await until(() => keybay.attempts.get('social:google')?.status === 'succeeded')
    expect(world.service.exchanges.at(-1)?.body).toMatchObject({ flowId })
  }
})
it.each([
  ['google', '?code=abc&state=other', 'oauth_state_mismatch', 'google social account'],
  ['telegram', '?state=other#tgAuthResult=e30', 'telegram_state_mismatch', 'telegram account'],
] as const)(
  '[S5.11] [S5.15] [S13.5] [S13.6] a forged social response of %s leaves the pending flow unchanged',
  async (id, response, code, name) => {
    const flow = await leave(id)
    const back = await world.comeBack(`/auth/social/${id}${response}`)
    expect(back).toBe(`${location.origin}/?keybay_social=${id}.`)
    for (const address of [back, `/?keybay_social=${id}.other`]) {
      const { failure } = open(address)
      await until(failure)
      expect(failure()).toMatchObject({ code, message: `Failed to connect ${name}: Invalid random state` })
    }
    const { keybay } = open(await world.comeBack(`/auth/social/${id}?code=abc&state=${flow.stateHash}`))
    await until(() => keybay.session.current.status === 'authenticated')
  },
)
it('[S5.13] [S5.14] [S13.6] a redirect reports the provider’s error, and a response without a code', async () => {
  const flow = await leave()
  const denied = open(await world.comeBack(`/auth/social/google?error=access_denied&state=${flow.stateHash}`))
  await until(denied.failure)
  expect(denied.failure()).toMatchObject({ message: 'Failed to connect google social account: access_denied' })
  const next = await leave()
  const empty = open(await world.comeBack(`/auth/social/google?state=${next.stateHash}`))
  await until(empty.failure)
  expect(empty.failure()).toMatchObject({ code: 'no_auth_code' })
})
it('[S13.6] a user who comes back without a response sees no pending sign-in, and the next one works', async () => {
  await leave()
  const { keybay } = open(PAGE)
  expect(await keybay.session.bearer()).toBeUndefined()
  expect(keybay.attempts.list().filter(({ status }) => status === 'connecting' || status === 'redirecting')).toEqual([])
  keybay.dispose()
  const flow = await leave()
  const next = open(await world.comeBack(`/auth/social/google?code=abc&state=${flow.stateHash}`))
  await until(() => next.keybay.session.current.status === 'authenticated')
})
it.each(['?code=abc', '#access_token=eyJhbGciOiJub25lIn0.e30.&token_type=bearer', '?token=eyJhbGciOiJub25lIn0.e30.'])(
  '[S13.5] a token or code in a URL without a state signs no user in: %s',
  async response => {
    const exchanges = world.service.exchanges.length
    // In the address of the return page, and in that of the app.
    for (const address of [await world.comeBack(`/auth/social/google${response}`), `/wallet${response}`]) {
      const { keybay } = open(address)
      expect(await keybay.session.bearer()).toBeUndefined()
      expect(keybay.session.current.status).toBe('anonymous')
      keybay.dispose()
    }
    expect(world.service.exchanges).toHaveLength(exchanges)
  },
)
it('stores no secret of a social redirect while the page is away', async () => {
  const flow = await leave()
  const exchange = { ...localStorage }
  const back = await world.comeBack(`/auth/social/google?code=abc&state=${flow.stateHash}`)
  const { keybay } = open(back)
  await until(() => keybay.session.current.status === 'authenticated')
  const { state, nonce, codeVerifier } = world.service.exchanges.at(-1)?.body ?? {}
  for (const secret of [state, nonce, codeVerifier]) {
    expect(secret).toMatch(/^[\w-]{43}$/)
    expect(JSON.stringify(exchange)).not.toContain(secret)
    expect(back).not.toContain(secret)
  }
})
it('a social redirect stays on the page if the browser blocks storage', async () => {
  vi.stubGlobal('indexedDB', {
    open() {
      throw new DOMException('refused', 'SecurityError')
    },
  })
  const { keybay } = world.open({ mode: 'redirect' })
  expect(await getError(keybay.connect('social:google'))).toMatchObject({ code: 'general_error' })
  expect(world.left).toEqual([])
  // A window needs no storage.
  const other = world.open()
  const attempt = other.keybay.connect('social:google')
  const flow = await world.visited()
  await world.comeBack(`/auth/social/google?code=c&state=${flow.stateHash}`, world.popup(0))
  expect(await attempt).toMatchObject({ status: 'authenticated' })
  expect(completion(flow).provider).toBe('google')
})
it('calls a mode function of social at each click', async () => {
  let mode: 'popup' | 'redirect' = 'redirect'
  const { keybay } = world.open({ mode: () => mode })
  keybay.connect('social:google').catch(() => {})
  await until(() => world.left.length)
  mode = 'popup'
  keybay.connect('social:telegram').catch(() => {})
  expect(world.popups).toHaveLength(1)
})
