// @vitest-environment happy-dom
import { account } from '@keybay/account'
import type { Prompt } from '@keybay/kernel'
import { type CreateConnector, connectorConformance, type Expectations } from '@keybay/kernel/testing'
import { CONFORMANCE_ENVIRONMENTS, startWorld, type World } from '@keybay/sandbox-api/testing/page-world'
import { afterAll, beforeAll } from 'vitest'
import { email, phone } from '../src/index.js'

let world: World
beforeAll(async () => {
  world = await startWorld({ environments: CONFORMANCE_ENVIRONMENTS })
})
afterAll(() => world.stop())

/** Prompts that are being answered. */
const answering = new WeakSet<object>()

async function answer(prompt: Prompt) {
  if (prompt.type !== 'one-time-code' || answering.has(prompt)) return
  answering.add(prompt)
  prompt.answer(await prompt.submit(await world.codeFor(prompt.sentTo)))
}
/** Answers the prompt that was open when the user left. */
function watch(create: CreateConnector): CreateConnector {
  return scene => {
    let open: Prompt | undefined
    scene.comesBack = async () => {
      if (open) await answer(open).catch(() => {}) // the attempt is over
    }
    const plugin = create(scene)
    return {
      ...plugin,
      setup(kernel) {
        kernel.events.on('prompt:opened', ({ prompt }) => {
          open = prompt
        })
        return plugin.setup(kernel)
      },
    }
  }
}

function expectations(id: string, input: object): Expectations {
  return {
    id,
    kind: 'login',
    input,
    stages: ['refuses', 'is-away'],
    plugins: () => [account()],
    get config() {
      return { baseApiUrl: world.url }
    },
    answer: prompt => void answer(prompt).catch(() => {}),
    patience: 10_000,
  }
}

connectorConformance(
  watch(() => email()),
  expectations('email', { email: 'conformance@example.com' }),
)
connectorConformance(
  watch(() => phone()),
  expectations('phone', { phoneNumber: '+491701234567' }),
)
