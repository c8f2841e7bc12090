// @vitest-environment happy-dom
/** The flow in a window, against the API's contract; end-to-end tests run it against the real API in Chromium. */
import { expect, it, vi } from 'vitest'
import { completion, getError, setUpWorld, until } from './page.js'

const world = setUpWorld()

async function begin(options = {}) {
  const page = world.open(options)
  const attempt = page.keybay.connect('social:google')
  attempt.catch(() => {})
  const flow = await world.visited()
  const [popup] = world.popups
  if (!popup) throw new Error('no window')
  return { ...page, attempt, flow, popup }
}

it('[S2.4] opens a popup of 500×600 in the click itself, then navigates it', async () => {
  const { keybay } = world.open()
  const attempt = keybay.connect('social:google')
  // In the same turn as the click.
  expect(world.popups).toHaveLength(1)
  expect(world.popups[0]?.features).toMatch(/^width=500,height=600,/)
  expect(world.popups[0]?.visited).toEqual([])
  expect(world.popups[0]?.opener).toBe(window)
  const flow = await world.visited()
  expect(world.popups[0]?.visited).toEqual([`https://google.example/authorize?state=${flow.stateHash}`])
  expect(flow).toMatchObject({
    provider: 'google',
    mode: 'popup',
    redirectUrl: `${location.origin}/auth/social/google`,
  })
  await world.comeBack(`/auth/social/google?code=abc&state=${flow.stateHash}&iss=https%3A%2F%2Fg`, world.popups[0])
  expect(await attempt).toMatchObject({ status: 'authenticated', userId: 'u1' })
  expect(world.popups[0]?.closed).toBe(true)
  expect(world.service.exchanges.at(-1)?.body).toMatchObject({
    flowId: flow.flowId,
    params: { code: 'abc', state: flow.stateHash, iss: 'https://g' },
  })
})
it('[S3.8] the return page posts type, provider, code, state and error to the exact origin of the opener', async () => {
  const { keybay } = world.open()
  const posted: unknown[] = []
  const listener = ({ data }: MessageEvent<unknown>) => posted.push(data)
  window.addEventListener('message', listener)
  const visit = async (id: 'google' | 'telegram', response: string) => {
    keybay.connect(`social:${id}`).catch(() => {})
    const { stateHash: state } = await world.visited(world.popups.length)
    const popup = world.popups.at(-1)
    expect(await world.comeBack(`/auth/social/${id}?state=${state}${response}`, popup)).toBe(location.origin)
    return state
  }
  const first = await visit('telegram', '#tgAuthResult=e30')
  const second = await visit('google', '&error=access_denied')
  const third = await visit('google', '&code=abc')
  const google = { type: 'authorization_response', provider: 'google' }
  expect(posted).toEqual([
    { type: 'telegram_completed', provider: 'telegram', state: first, params: { state: first, tgAuthResult: 'e30' } },
    { ...google, state: second, error: 'access_denied', params: { state: second, error: 'access_denied' } },
    { ...google, state: third, code: 'abc', params: { state: third, code: 'abc' } },
  ])
  window.removeEventListener('message', listener)
})
it('[S8.2] oauth_window_blocked: reports a blocked popup, and the next click works', async () => {
  const { keybay } = world.open()
  world.blocked = true
  expect(await getError(keybay.connect('social:google'))).toMatchObject({
    code: 'oauth_window_blocked',
    message: 'Please allow popups and try again.',
  })
  world.blocked = false
  const attempt = keybay.connect('social:google')
  const flow = await world.visited()
  world.post(world.popup(0), completion(flow))
  expect(await attempt).toMatchObject({ status: 'authenticated' })
})
it('[S4.13] [S8.2] [S13.4] user_cancelled: notices a closed popup within 2 s, and does not log it as an error', async () => {
  const { attempt, popup, logged, keybay } = await begin()
  popup.close()
  await world.clock.advance(1999)
  expect(keybay.attempts.get('social:google')?.status).toBe('connecting')
  await world.clock.advance(1)
  expect(await getError(attempt)).toMatchObject({ code: 'user_cancelled', message: 'User cancelled connection' })
  expect(logged.filter(({ level }) => level === 'error')).toEqual([])
  const again = keybay.connect('social:google')
  const flow = await world.visited(2)
  world.post(world.popup(1), completion(flow))
  expect(await again).toMatchObject({ status: 'authenticated' })
})
it('waits for a popup that only looks closed, and gets its response by broadcast', async () => {
  const { attempt, popup, flow } = await begin()
  // The effect of Cross-Origin-Opener-Policy, while the window has the focus.
  popup.closed = true
  vi.mocked(document.hasFocus).mockReturnValue(false)
  await world.clock.advance(60_000)
  expect(await world.comeBack(`/auth/social/google?code=abc&state=${flow.stateHash}`)).toBe('')
  expect(await attempt).toMatchObject({ status: 'authenticated' })
})
it('without its opener, a window cannot navigate the page, and its response comes by broadcast', async () => {
  const { attempt, popup, flow } = await begin({ opener: false })
  expect(popup.opener).toBeNull()
  expect(await world.comeBack(`/auth/social/google?code=abc&state=${flow.stateHash}`)).toBe('')
  expect(await attempt).toMatchObject({ status: 'authenticated' })
  expect(popup.closed).toBe(true)
})
it('a window keeps its opener where the browser stores nothing that the return page could find', async () => {
  vi.stubGlobal('indexedDB', undefined)
  const { attempt, popup, flow } = await begin({ opener: false })
  expect(popup.opener).toBe(window)
  world.post(popup, completion(flow))
  expect(await attempt).toMatchObject({ status: 'authenticated' })
})
it('[S8.2] oauth_window_closed: stops waiting for a popup that looks closed when the user returns without a response', async () => {
  const { attempt, popup } = await begin()
  popup.closed = true
  vi.mocked(document.hasFocus).mockReturnValue(false)
  await world.clock.advance(10_000)
  vi.mocked(document.hasFocus).mockReturnValue(true)
  await world.clock.advance(4000)
  expect(await getError(attempt)).toMatchObject({ code: 'oauth_window_closed' })
})
it('[S8.2] oauth_window_timeout: closes a popup that stays open longer than windowTimeout', async () => {
  const { attempt, popup } = await begin({ windowTimeout: 5000 })
  await world.clock.advance(5000)
  expect(await getError(attempt)).toMatchObject({ code: 'oauth_window_timeout' })
  expect(popup.closed).toBe(true)
})
it('[S5.11] refuses a popup’s response with another state', async () => {
  const { attempt, popup, flow } = await begin()
  world.post(popup, completion(flow, { code: 'c', state: 'other' }))
  expect(await getError(attempt)).toMatchObject({
    code: 'oauth_state_mismatch',
    message: 'Failed to connect google social account: Invalid random state',
  })
  expect(popup.closed).toBe(true)
})
it('[S5.12] accepts responses from the origin of the redirect URL only', async () => {
  const { attempt, popup, flow, keybay } = await begin()
  const stranger = { ...popup }
  world.post(stranger, completion(flow, { code: 'stolen' }), 'https://evil.example')
  world.post(popup, 'hello')
  world.post(popup, { type: 'authorization_response' })
  world.post(popup, completion({ ...flow, provider: 'github' }))
  expect(keybay.attempts.get('social:google')?.status).toBe('connecting')
  world.post(popup, completion(flow, { code: 'stolen' }), 'https://evil.example')
  expect(await getError(attempt)).toMatchObject({ code: 'oauth_origin_mismatch' })
  expect(world.service.exchanges.filter(({ body }) => body.flowId === flow.flowId)).toEqual([])
})
it('[S5.12] accepts a response from a redirect URL on another origin', async () => {
  const { attempt, popup, flow } = await begin({ redirectUrl: 'https://auth.acme.example/back' })
  expect(flow.redirectUrl).toBe('https://auth.acme.example/back/google')
  world.post(popup, completion(flow), 'https://auth.acme.example')
  expect(await attempt).toMatchObject({ status: 'authenticated' })
})
it('[S5.13] [S13.4] reports the provider’s error, and does not log the user’s refusal as an error', async () => {
  const { attempt, popup, flow, logged, keybay } = await begin()
  await world.comeBack(`/auth/social/google?error=access_denied&state=${flow.stateHash}`, popup)
  expect(await getError(attempt)).toMatchObject({
    code: 'oauth_error',
    message: 'Failed to connect google social account: access_denied',
    walletCode: 2,
  })
  expect(logged.filter(({ level }) => level === 'error')).toEqual([])
  const again = getError(keybay.connect('social:google'))
  const next = await world.visited(2)
  world.post(world.popup(1), completion(next, { error: 'server_error' }))
  expect(await again).toMatchObject({ message: 'Failed to connect google social account: server_error' })
  expect(logged.filter(({ level }) => level === 'error')).toHaveLength(1)
})
it('[S5.14] reports a provider’s response without a code', async () => {
  const { attempt, popup, flow } = await begin()
  await world.comeBack(`/auth/social/google?state=${flow.stateHash}`, popup)
  expect(await getError(attempt)).toMatchObject({
    code: 'no_auth_code',
    message: 'Failed to connect google social account: no authorization code',
  })
})
it('[S5.15] reports a wrong Telegram state with its own message, and sends Telegram’s fields to the API unchanged', async () => {
  const { keybay } = world.open()
  const attempt = keybay.connect('social:telegram')
  const flow = await world.visited()
  world.post(world.popup(0), completion(flow, { type: 'telegram_completed', state: 'other' }))
  expect(await getError(attempt)).toMatchObject({ message: 'Failed to connect telegram account: Invalid random state' })
  const again = keybay.connect('social:telegram')
  const next = await world.visited(2)
  await world.comeBack(`/auth/social/telegram?state=${next.stateHash}#tgAuthResult=e30`, world.popups[1])
  expect(await again).toMatchObject({ status: 'authenticated' })
  expect(world.service.exchanges.at(-1)?.body.params).toEqual({ state: next.stateHash, tgAuthResult: 'e30' })
})
it.each(['closed', 'reloaded'])('deletes the social flow if the waiting page was %s', async how => {
  const { popup, flow } = await begin()
  const page = world.open()
  const url = `/auth/social/google?code=c&state=${flow.stateHash}`
  const exchanges = world.service.exchanges.length
  expect(await world.comeBack(url, how === 'reloaded' ? popup : undefined, 0)).toBe('unheard')
  expect(page.keybay.session.current.status).toBe('anonymous')
  expect(world.service.exchanges).toHaveLength(exchanges)
  // The same response again has no flow.
  expect(await world.comeBack(url)).toBe(`${location.origin}/?keybay_social=google.`)
  const again = page.keybay.connect('social:google')
  const next = await world.visited(2)
  await world.comeBack(`/auth/social/google?code=c&state=${next.stateHash}`, world.popup(1))
  expect(await again).toMatchObject({ status: 'authenticated' })
})
it('shows a prompt while the popup is open, and closes the popup when the user cancels the prompt', async () => {
  const { attempt, popup, keybay } = await begin()
  const [prompt] = keybay.prompts.list()
  expect(prompt).toMatchObject({ type: 'social-window', provider: 'google', name: 'Google' })
  // The attempt’s time-out pauses.
  await world.clock.advance(200_000)
  prompt?.cancel()
  expect(await getError(attempt)).toMatchObject({ code: 'user_rejected' })
  expect(popup.closed).toBe(true)
  expect(keybay.prompts.list()).toEqual([])
})
it('closes the open popup when the user chooses another provider', async () => {
  const { attempt, popup, keybay } = await begin()
  const other = keybay.connect('social:telegram')
  expect(await getError(attempt)).toMatchObject({ code: 'aborted' })
  expect(popup.closed).toBe(true)
  const flow = await world.visited(2)
  world.post(world.popup(1), completion(flow, { type: 'telegram_completed' }))
  expect(await other).toMatchObject({ status: 'authenticated' })
})
it('joins a second click to the first, without a second popup', async () => {
  const { attempt, popup, flow, keybay } = await begin()
  const joined = keybay.connect('social:google')
  expect(world.popups).toHaveLength(1)
  world.post(popup, completion(flow))
  expect(await joined).toEqual(await attempt)
})
it('prompts Shopify users for their shop, and opens the popup in the click that submits the shop', async () => {
  const { keybay } = world.open()
  const attempt = keybay.connect('social:shopify')
  await until(() => keybay.prompts.list().length)
  const [prompt] = keybay.prompts.list()
  if (prompt?.type !== 'social-question') throw new Error('no question')
  expect(prompt).toMatchObject({ label: 'Your shop’s domain', example: 'acme.myshopify.com' })
  expect(prompt.submit('acme.example')).toBeUndefined()
  expect(world.popups).toHaveLength(0)
  const ticket = prompt.submit(' Acme.myshopify.com ')
  expect(world.popups).toHaveLength(1)
  prompt.answer(ticket ?? {})
  const flow = await world.visited()
  expect(flow.shop).toBe('acme.myshopify.com')
  const url = `/auth/social/shopify?code=c&hmac=h&shop=acme.myshopify.com&timestamp=1&state=${flow.stateHash}`
  await world.comeBack(url, world.popups[0])
  expect(await attempt).toMatchObject({ status: 'authenticated' })
  expect(world.service.exchanges.at(-1)?.body.params).toMatchObject({ hmac: 'h', timestamp: '1' })
  // With the shop as input, the window opens in the first click.
  keybay.connect('social:shopify', { shop: 'other.myshopify.com' }).catch(() => {})
  expect(world.popups).toHaveLength(2)
})
