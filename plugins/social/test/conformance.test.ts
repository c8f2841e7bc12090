// @vitest-environment happy-dom
/** The suite that every connector passes. */
import { account } from '@keybay/account'
import { connectorConformance, type Scene } from '@keybay/kernel/testing'
import { google } from '../src/index.js'
import { completion, setUpWorld, until } from './page.js'

const world = setUpWorld()

/** Google's plugin, and a user at the provider who does what the scene says. */
function createConnector(scene: Scene) {
  const plugin = google()
  const respond = () => {
    const flow = world.service.flows.at(-1)
    const popup = world.popups.at(-1)
    if (flow && popup) world.post(popup, completion(flow, { code: 'c' }))
  }
  scene.comesBack = async () => respond()
  return {
    ...plugin,
    setup(kernel: Parameters<typeof plugin.setup>[0]) {
      kernel.events.on('prompt:opened', ({ prompt }) => {
        if (prompt.type !== 'social-window') return
        if (scene.user === 'approves') void until(() => world.popups.at(-1)?.visited.length).then(respond)
        if (scene.user === 'refuses') prompt.cancel()
      })
      return plugin.setup(kernel)
    },
  }
}
connectorConformance(createConnector, {
  id: 'social:google',
  kind: 'login',
  stages: ['refuses', 'is-away'],
  returnUrl: 'http://localhost:3000/?keybay_social=google.x',
  plugins: () => [account()],
  get config() {
    return { baseApiUrl: world.service.url }
  },
  patience: 10_000,
})
