// @vitest-environment happy-dom
/** The flow in a window, by the API's contract; that it fits the real API and real pages is shown in Chromium (sandbox/testing). */
import { expect, it, vi } from 'vitest'
import { completion, errorOf, setUpWorld, until } from './page.js'

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

it('[S2.4] opens 500×600 in the click itself, then navigates', async () => {
  const { keybay } = world.open()
  const attempt = keybay.connect('social:google')
  // Nothing was awaited.
  expect(world.popups).toHaveLength(1)
  expect(world.popups[0]?.features).toMatch(/popup,width=500,height=600,/)
  expect(world.popups[0]?.visited).toEqual([])
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

it('[S3.8] the return page posts type, provider, code and state to the exact origin of the opener', async () => {
  const { flow, popup, attempt } = await begin()
  const heard = vi.fn()
  window.addEventListener('message', heard)
  expect(await world.comeBack(`/auth/social/google?code=abc&state=${flow.stateHash}`, popup)).toBe(location.origin)
  expect(heard.mock.calls[0]?.[0].data).toEqual({
    type: 'authorization_response',
    provider: 'google',
    code: 'abc',
    state: flow.stateHash,
    params: { code: 'abc', state: flow.stateHash },
  })
  window.removeEventListener('message', heard)
  await attempt
})

it('[S3.8] what it posts for Telegram is telegram_completed; who refused comes with the error', async () => {
  const { keybay } = world.open()
  const posted: unknown[] = []
  const hear = ({ data }: MessageEvent<unknown>) => posted.push(data)
  window.addEventListener('message', hear)
  keybay.connect('social:telegram').catch(() => {})
  const { stateHash: first } = await world.visited()
  await world.comeBack(`/auth/social/telegram?state=${first}#tgAuthResult=e30`, world.popup(0))
  expect(posted.splice(0)).toEqual([
    {
      type: 'telegram_completed',
      provider: 'telegram',
      state: first,
      params: { state: first, tgAuthResult: 'e30' },
    },
  ])
  keybay.connect('social:google').catch(() => {})
  const { stateHash: second } = await world.visited(2)
  await world.comeBack(`/auth/social/google?error=access_denied&state=${second}`, world.popup(1))
  expect(posted.splice(0)).toEqual([
    {
      type: 'authorization_response',
      provider: 'google',
      state: second,
      error: 'access_denied',
      params: { state: second, error: 'access_denied' },
    },
  ])
  window.removeEventListener('message', hear)
})

it('a blocked window says so, and the next click works', async () => {
  const { keybay } = world.open()
  world.blocked = true
  expect(await errorOf(keybay.connect('social:google'))).toMatchObject({
    code: 'oauth_window_blocked',
    message: 'Please allow popups and try again.',
  })
  world.blocked = false
  const attempt = keybay.connect('social:google')
  const flow = await world.visited()
  world.post(world.popup(0), completion(flow))
  expect(await attempt).toMatchObject({ status: 'authenticated' })
})

it('[S4.13] a closed window is seen within 2 s, and is no error in the log', async () => {
  const { attempt, popup, logged, keybay } = await begin()
  popup.close()
  await world.clock.advance(1999)
  expect(keybay.attempts.get('social:google')?.status).toBe('connecting')
  await world.clock.advance(1)
  expect(await errorOf(attempt)).toMatchObject({ code: 'user_cancelled', message: 'User cancelled connection' })
  expect(logged.filter(({ level }) => level === 'error')).toEqual([])
  // And again.
  const again = keybay.connect('social:google')
  const flow = await world.visited(2)
  world.post(world.popup(1), completion(flow))
  expect(await again).toMatchObject({ status: 'authenticated' })
})

it('waits for a window that only looks closed, and hears its answer by the broadcast', async () => {
  const { attempt, popup, flow } = await begin()
  // What a page with Cross-Origin-Opener-Policy does to its opener; the user is looking at it.
  popup.closed = true
  vi.mocked(document.hasFocus).mockReturnValue(false)
  await world.clock.advance(60_000)
  expect(await world.comeBack(`/auth/social/google?code=abc&state=${flow.stateHash}`)).toBe('')
  expect(await attempt).toMatchObject({ status: 'authenticated' })
})

it('gives up such a window when the user is back without an answer', async () => {
  const { attempt, popup } = await begin()
  popup.closed = true
  vi.mocked(document.hasFocus).mockReturnValue(false)
  await world.clock.advance(10_000)
  vi.mocked(document.hasFocus).mockReturnValue(true)
  await world.clock.advance(4000)
  expect(await errorOf(attempt)).toMatchObject({ code: 'oauth_window_closed' })
})

it('a window that stays open ends in time', async () => {
  const { attempt, popup } = await begin({ windowTimeout: 5000 })
  await world.clock.advance(5000)
  expect(await errorOf(attempt)).toMatchObject({ code: 'oauth_window_timeout' })
  expect(popup.closed).toBe(true)
})

it('[S5.11] refuses an answer with another state', async () => {
  const { attempt, popup, flow } = await begin()
  world.post(popup, completion(flow, { code: 'c', state: 'other' }))
  expect(await errorOf(attempt)).toMatchObject({
    code: 'oauth_state_mismatch',
    message: 'Failed to connect google social account: Invalid random state',
  })
  expect(popup.closed).toBe(true)
})

it('[S5.12] hears the origin of the redirect URL only', async () => {
  const { attempt, popup, flow, keybay } = await begin()
  const stranger = { ...popup }
  world.post(stranger, completion(flow, { code: 'stolen' }), 'https://evil.example')
  world.post(popup, 'hello')
  world.post(popup, { type: 'authorization_response' })
  world.post(popup, completion({ ...flow, provider: 'github' }))
  expect(keybay.attempts.get('social:google')?.status).toBe('connecting')
  world.post(popup, completion(flow, { code: 'stolen' }), 'https://evil.example')
  expect(await errorOf(attempt)).toMatchObject({ code: 'oauth_origin_mismatch' })
  expect(world.service.exchanges.filter(({ body }) => body.flowId === flow.flowId)).toEqual([])
})

it('[S5.12] takes an answer from a redirect URL on another origin', async () => {
  const { attempt, popup, flow } = await begin({ redirectUrl: 'https://auth.acme.example/back' })
  expect(flow.redirectUrl).toBe('https://auth.acme.example/back/google')
  world.post(popup, completion(flow), 'https://auth.acme.example')
  expect(await attempt).toMatchObject({ status: 'authenticated' })
})

it('[S5.13] says what the provider said; who refuses there is no error in the log', async () => {
  const { attempt, popup, flow, logged, keybay } = await begin()
  await world.comeBack(`/auth/social/google?error=access_denied&state=${flow.stateHash}`, popup)
  expect(await errorOf(attempt)).toMatchObject({
    code: 'oauth_error',
    message: 'Failed to connect google social account: access_denied',
    walletCode: 2,
  })
  expect(logged.filter(({ level }) => level === 'error')).toEqual([])
  const again = errorOf(keybay.connect('social:google'))
  const next = await world.visited(2)
  world.post(world.popup(1), completion(next, { error: 'server_error' }))
  expect(await again).toMatchObject({ message: 'Failed to connect google social account: server_error' })
  expect(logged.filter(({ level }) => level === 'error')).toHaveLength(1)
})

it('[S5.14] misses the code', async () => {
  const { attempt, popup, flow } = await begin()
  await world.comeBack(`/auth/social/google?state=${flow.stateHash}`, popup)
  expect(await errorOf(attempt)).toMatchObject({
    code: 'no_auth_code',
    message: 'Failed to connect google social account: no authorization code',
  })
})

it('[S5.15] Telegram’s state has a message of its own, and its fields go to the API as they came', async () => {
  const { keybay } = world.open()
  const attempt = keybay.connect('social:telegram')
  const flow = await world.visited()
  world.post(world.popup(0), completion(flow, { type: 'telegram_completed', state: 'other' }))
  expect(await errorOf(attempt)).toMatchObject({ message: 'Failed to connect telegram account: Invalid random state' })
  const again = keybay.connect('social:telegram')
  const next = await world.visited(2)
  await world.comeBack(`/auth/social/telegram?state=${next.stateHash}#tgAuthResult=e30`, world.popups[1])
  expect(await again).toMatchObject({ status: 'authenticated' })
  expect(world.service.exchanges.at(-1)?.body.params).toEqual({ state: next.stateHash, tgAuthResult: 'e30' })
})

it('the page that asked was loaded anew meanwhile: the window says so, and nothing is left of the flow', async () => {
  const { popup, flow, attempt } = await begin()
  attempt.catch(() => {}) // nobody is there any more when it ends
  const page = world.open()
  const url = `/auth/social/google?code=c&state=${flow.stateHash}`
  const exchanges = world.service.exchanges.length
  expect(await world.comeBack(url, popup, 0)).toBe('unheard')
  expect(page.keybay.session.current.status).toBe('anonymous')
  expect(world.service.exchanges).toHaveLength(exchanges)
  // The same answer once more: nobody asked.
  expect(await world.comeBack(url)).toBe(`${location.origin}/?keybay_social=google.`)
  const again = page.keybay.connect('social:google')
  const next = await world.visited(2)
  await world.comeBack(`/auth/social/google?code=c&state=${next.stateHash}`, world.popup(1))
  expect(await again).toMatchObject({ status: 'authenticated' })
})

it('shows that the window is open, and ends it when the user cancels', async () => {
  const { attempt, popup, keybay } = await begin()
  const [prompt] = keybay.prompts.list()
  expect(prompt).toMatchObject({ type: 'social-window', provider: 'google', name: 'Google' })
  // The attempt’s own time-out rests meanwhile.
  await world.clock.advance(200_000)
  prompt?.cancel()
  expect(await errorOf(attempt)).toMatchObject({ code: 'user_rejected' })
  expect(popup.closed).toBe(true)
  expect(keybay.prompts.list()).toEqual([])
})

it('another provider takes the place of the window that is open', async () => {
  const { attempt, popup, keybay } = await begin()
  const other = keybay.connect('social:telegram')
  expect(await errorOf(attempt)).toMatchObject({ code: 'aborted' })
  expect(popup.closed).toBe(true)
  const flow = await world.visited(2)
  world.post(world.popup(1), completion(flow, { type: 'telegram_completed' }))
  expect(await other).toMatchObject({ status: 'authenticated' })
})

it('a second click joins the first, and opens no second window', async () => {
  const { attempt, popup, flow, keybay } = await begin()
  const joined = keybay.connect('social:google')
  expect(world.popups).toHaveLength(1)
  world.post(popup, completion(flow))
  expect(await joined).toEqual(await attempt)
})

it('asks Shopify’s people for their shop, and opens the window in the click that answers', async () => {
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
  // Known beforehand, it is not asked: the window opens in the first click.
  keybay.connect('social:shopify', { shop: 'other.myshopify.com' }).catch(() => {})
  expect(world.popups).toHaveLength(2)
})

it('links for who is signed in', async () => {
  const { attempt, popup, flow, keybay } = await begin()
  world.post(popup, completion(flow))
  await attempt
  const linked = keybay.social.signIn('telegram')
  const next = await world.visited(2)
  world.post(world.popup(1), completion(next, { type: 'telegram_completed' }))
  expect(await linked).toMatchObject({ userId: 'u1' })
  expect(world.service.exchanges.at(-1)?.route).toBe('link')
})
