// @vitest-environment happy-dom
/** The suite that every connector passes, with a window and with a page that is left. */
import { account } from '@keybay/account'
import { connectorConformance, type Scene } from '@keybay/kernel/testing'
import { google, type SocialOptions, social } from '../src/index.js'
import { completion, setUpWorld, until } from './page.js'

const world = setUpWorld()

/** Its mark is left out: it comes when the page is at rest, and the suite looks at what other things change. */
const provider = { ...google(), icon: () => new Promise<never>(() => {}) }

/** The user at the provider. */
function create(options: SocialOptions) {
  return (scene: Scene) => {
    const plugin = social([provider], options)
    const answer = (error?: string) => {
      const flow = world.service.flows.at(-1)
      const popup = world.popups.at(-1)
      if (flow && popup) world.post(popup, completion(flow, error ? { error } : { code: 'c' }))
    }
    scene.comesBack = async () => answer()
    return {
      ...plugin,
      setup(kernel: Parameters<typeof plugin.setup>[0]) {
        kernel.events.on('prompt:opened', ({ prompt }) => {
          if (prompt.type !== 'social-window') return
          if (scene.person === 'approves') void until(() => world.popups.at(-1)?.visited.length).then(() => answer())
          if (scene.person === 'refuses') prompt.cancel()
        })
        return plugin.setup(kernel)
      },
    }
  }
}
connectorConformance(create({}), {
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
