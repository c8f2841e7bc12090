// @vitest-environment happy-dom
import { account } from '@keybay/account'
import { connectorConformance } from '@keybay/kernel/testing'
import { CONFORMANCE_ENVIRONMENTS, startWorld, type World } from '@keybay/sandbox-api/testing/page-world'
import { installPasskeys, type PagePasskeys } from '@keybay/sandbox-tools/testing/page-passkeys'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { passkey } from '../src/index.js'

let world: World
let browser: PagePasskeys
beforeAll(async () => {
  world = await startWorld({ environments: CONFORMANCE_ENVIRONMENTS })
})
afterAll(() => world.stop())
beforeEach(() => {
  browser = installPasskeys()
})
afterEach(() => browser.remove())

connectorConformance(
  scene => {
    browser.user = scene.user
    scene.comesBack = () => browser.answer()
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
