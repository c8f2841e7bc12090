/** Runs many random worlds: for `npm run test:soak` and `npm run simulate`. */
import { expect, it } from 'vitest'
import { describeFind, hunt } from './hunt.js'
import { startSimulator } from './run.js'

declare module 'vitest' {
  interface TaskMeta {
    /** Result for the command `npm run simulate`. */
    simulation?: string
  }
}

const DAY_MS = 86_400_000

it(
  'many random worlds keep every invariant',
  async ({ task, onTestFinished }) => {
    const { KEYBAY_WORLDS: worlds = '2000', KEYBAY_SEED: seed = '1000' } = process.env
    const simulator = await startSimulator()
    onTestFinished(() => simulator.stop())
    const find = await hunt(simulator, Number(seed), Number(worlds))
    task.meta.simulation = find ? describeFind(find) : `${worlds} worlds, 0 violations`
    expect(find && describeFind(find)).toBeUndefined()
  },
  DAY_MS,
)
