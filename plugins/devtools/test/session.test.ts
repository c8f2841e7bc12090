// @vitest-environment happy-dom
/** A real sign-in against the real API: none of its secrets is recorded, shown, copied or exported. */
import { account } from '@keybay/account'
import { createKeybay, definePlugin, type Keybay, type Plugin } from '@keybay/kernel'
import { email } from '@keybay/one-time-code'
import { asked, startWorld, type World } from '@keybay/sandbox-api/testing/page-world'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { devtools } from '../src/index.js'

let world: World
let keybay: Keybay<ReturnType<typeof plugins>[number]>
/** Name → secret, of the session that the test signs in. */
const secrets = new Map<string, string>()

function plugins() {
  return [account(), email(), devtools()] as const
}

/** Returns every text below a stored value that no user may see. */
function storedSecrets() {
  return Object.entries(localStorage).flatMap(([key, value]) =>
    [...String(value).matchAll(/"(?:value|token|refreshToken)":"([^"]{20,})"/g)].map(
      match => [key, match[1] ?? ''] as const,
    ),
  )
}

beforeAll(async () => {
  world = await startWorld()
  keybay = createKeybay({
    appName: 'Test',
    environmentId: 'local',
    baseApiUrl: world.url,
    logLevel: 'debug',
    plugins: plugins(),
  })
  const signedIn = keybay.connect('email', { email: 'ann@example.com' })
  const prompt = await asked(keybay, 'one-time-code')
  const code = await world.codeFor('ann@example.com')
  prompt.answer(await prompt.submit(code))
  await signedIn
  secrets.set('one-time code', code)
  secrets.set('access token', String(await keybay.session.bearer()))
  for (const [key, value] of storedSecrets()) secrets.set(`stored in ${key}`, value)
})
afterAll(async () => {
  keybay.dispose()
  // Files share their page, and vitest starts with those that took longest.
  localStorage.clear()
  await world.stop()
})

function expectNoSecret(text: string) {
  for (const [name, secret] of secrets) expect(text.includes(secret), name).toBe(false)
}

it('shows the sign-in as one action, without the code, the token or anything of the stored session', async () => {
  expect([...secrets.keys()]).toEqual(expect.arrayContaining(['one-time code', 'access token']))
  expect(secrets.size).toBeGreaterThan(2)
  await keybay.devtools.open()
  const exported = await keybay.devtools.export()
  const { actions, session, connectors } = JSON.parse(exported)
  expect(actions[0]).toMatchObject({ name: 'Connect email', outcome: 'done' })
  expect(actions[0].rows.map(({ kind, name }: { kind: string; name: string }) => `${kind} ${name}`)).toEqual(
    expect.arrayContaining(['prompt Prompt: one-time-code', 'event Session: authenticated']),
  )
  expect(session).toEqual({ status: 'authenticated', userId: expect.any(String) })
  expect(connectors).toMatchObject([{ id: 'email', type: 'email', readiness: 'ready' }])
  expectNoSecret(exported)
  expectNoSecret(document.querySelector('[data-keybay-devtools]')?.shadowRoot?.innerHTML ?? '')
})

it('redacts the same secrets when a careless plugin puts them into an event', async () => {
  const [token, code] = [secrets.get('access token'), secrets.get('one-time code')]
  const result = {
    note: `the token is ${token}`,
    token,
    nested: [{ code, proof: token, cookie: token }],
    bytes: new Uint8Array(32),
  }
  const careless = (): Plugin<'careless'> =>
    definePlugin({
      id: 'careless',
      version: '1.0.0',
      setup({ events }) {
        events.emit('operation:resumed', { connectorId: 'acme', method: 'sign', result })
        return {}
      },
    })
  const other = createKeybay({ appName: 'Other', logLevel: 'silent', plugins: [devtools(), careless()] })
  const exported = await other.devtools.export()
  expectNoSecret(exported)
  expect(JSON.parse(exported).events[0].payload.result).toMatchObject({ token: '[redacted]', bytes: '[32 bytes]' })
  other.dispose()
})
