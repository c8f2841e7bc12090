// @vitest-environment happy-dom
/** Error codes of S8.2 that the page raises or passes on from the API; `popup.test.ts` has those of the window. */
import { expect, it } from 'vitest'
import { completion, getError, getLinkQuestion, setUpWorld } from './page.js'

const world = setUpWorld()

it('[S8.2] no_provider, invalid_provider: social sign-in and unlink refuse an empty provider and a provider that is not installed', async () => {
  const { keybay } = world.open()
  expect(await getError(keybay.social.signIn(''))).toMatchObject({ code: 'no_provider' })
  expect(await getError(keybay.social.signIn('myspace'))).toMatchObject({ code: 'invalid_provider' })
  expect(await getError(keybay.social.unlink(''))).toMatchObject({ code: 'no_provider' })
  expect(await getError(keybay.social.unlink('github'))).toMatchObject({ code: 'invalid_provider' })
  expect(world.popups).toEqual([])
})
it('[S8.2] unlinks a linked social account, and refuses an account that is not linked or is the last credential', async () => {
  const { keybay } = world.open()
  const attempt = keybay.social.signIn('google')
  const flow = await world.visited()
  world.post(world.popup(0), completion(flow))
  await attempt
  expect(await getError(keybay.social.unlink('telegram'))).toMatchObject({ code: 'no_account_linked' })
  world.service.fail('credentials', 409, { code: 'last_credential', message: 'The last one.' })
  expect(await getError(keybay.social.unlink('google'))).toMatchObject({
    code: 'unlink_error',
    cause: { code: 'last_credential' },
  })
  await keybay.social.unlink('google')
})
it.each([
  ['flow', 403, 'provider_not_enabled'],
  ['flow', 503, 'no_oauth_url'],
  ['flow', 400, 'invalid_provider'],
  ['exchange', 400, 'session_timeout'],
  ['exchange', 401, 'verification_error'],
  ['exchange', 503, 'signin_error'],
  ['exchange', 502, 'general_error'],
  ['exchange', 400, 'oauth_error'],
] as const)('[S8.2] passes on the API’s error of /%s: %i %s', async (route, status, code) => {
  const { keybay } = world.open()
  world.service.fail(route, status, { code, message: `It is ${code}.` })
  const attempt = keybay.connect('social:google')
  attempt.catch(() => {})
  if (route === 'exchange') world.post(world.popup(0), completion(await world.visited()))
  expect(await getError(attempt)).toMatchObject({ code, message: `It is ${code}.`, status })
  expect(world.popup(0).closed).toBe(true)
})
it.each([
  ['social_linking_not_enabled', undefined],
  ['account_already_linked', undefined],
  ['account_already_linked_to_different_profile', 7],
])(
  '[S8.2] [S3.1] passes on the API’s error of linking: %s, with the wallet error number %s',
  async (code, walletCode) => {
    const { keybay } = world.open()
    const attempt = keybay.connect('social:google')
    world.post(world.popup(0), completion(await world.visited()))
    await attempt
    world.service.fail('link', 409, { code, message: 'No.' })
    const link = getError(keybay.connect('social:google'))
    world.post(world.popup(1), completion(await world.visited(2)))
    ;(await getLinkQuestion(keybay)).answer('add')
    expect(await link).toMatchObject({ code, walletCode })
  },
)
it('asks a signed-in user after the window has closed, and cancelling links no social account', async () => {
  const { keybay } = world.open()
  const attempt = keybay.connect('social:google')
  world.post(world.popup(0), completion(await world.visited()))
  const state = await attempt
  const linking = getError(keybay.connect('social:google'))
  const flow = await world.visited(2)
  expect(keybay.prompts.list()).toMatchObject([{ type: 'social-window' }])
  world.post(world.popup(1), completion(flow))
  const question = await getLinkQuestion(keybay)
  expect(keybay.prompts.list()).toEqual([question])
  expect(question).toMatchObject({ connectorId: 'social:google' })
  expect(world.popup(1).closed).toBe(true)
  question.answer('cancel')
  expect(await linking).toMatchObject({ code: 'user_rejected' })
  expect(world.service.exchanges.filter(({ body }) => body.flowId === flow.flowId)).toEqual([])
  expect(keybay.session.current).toEqual(state)
})
it('[S8.2] refuses a malformed response of the API to a social sign-in', async () => {
  const { keybay } = world.open()
  world.service.fail('flow', 201, { flowId: 'f' })
  expect(await getError(keybay.connect('social:google'))).toMatchObject({ code: 'no_oauth_url' })
  world.service.fail('flow', 201, { flowId: 'f', authorizationUrl: 'javascript:alert(1)' })
  expect(await getError(keybay.connect('social:google'))).toMatchObject({ code: 'no_oauth_url' })
  world.service.fail('flow', 201, {})
  expect(await getError(keybay.connect('social:google'))).toMatchObject({ code: 'general_error' })
  expect(world.popups.every(({ closed, visited }) => closed && !visited.length)).toBe(true)
})
it('a social sign-in requests cookies if tokens are stored in cookies', async () => {
  const { keybay } = world.open({}, '/', { cookieStorage: true })
  const attempt = keybay.connect('social:google')
  const flow = await world.visited()
  world.post(world.popup(0), completion(flow))
  expect(await attempt).toMatchObject({ status: 'authenticated' })
  expect(world.service.exchanges.at(-1)?.body.storage).toBe('cookie')
})
