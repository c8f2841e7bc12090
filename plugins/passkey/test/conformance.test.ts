// @vitest-environment happy-dom
import { account } from '@keybay/account'
import { connectorConformance } from '@keybay/kernel/testing'
import { CONFORMANCE_ENVIRONMENTS, startWorld, type World } from '@keybay/sandbox-api/testing/page-world'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { passkey } from '../src/index.js'
import { type Browser, installBrowser } from './browser.js'

let world: World
let browser: Browser
beforeAll(async () => {
  world = await startWorld({ environments: CONFORMANCE_ENVIRONMENTS })
})
afterAll(() => world.stop())
beforeEach(() => {
  browser = installBrowser()
})
afterEach(() => browser.remove())

connectorConformance(
  scene => {
    browser.person = scene.person
    scene.comesBack = () => browser.comesBack()
    return passkey()
  },
  {
    id: 'passkey',
    kind: 'login',
    input: { signUp: true, userName: 'ann@example.com' },
    stages: ['refuses', 'is-away'],
    plugins: () => [account()],
    get config() {
      return { baseApiUrl: world.url }
    },
    patience: 10_000,
  },
)
