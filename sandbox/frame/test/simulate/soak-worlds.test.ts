/** Runs many random worlds: for `npm run test:soak` and `npm run simulate`. */
import { expect, it } from 'vitest'
import { describeFind, hunt } from './hunt.js'
import { startSimulator } from './run.js'

declare module 'vitest' {
  interface TaskMeta {
    /** Result for the command `npm run simulate`. */
    simulation?: { readonly worlds: number; readonly find: string | undefined }
  }
}

const DAY_MS = 86_400_000
/** Part of the minutes of `npm run simulate` that is for these worlds; the rest is for those of the model. */
const SHARE = 0.75

it(
  'many random worlds keep every invariant',
  async ({ task, onTestFinished }) => {
    const { KEYBAY_MINUTES, KEYBAY_WORLDS = '2000', KEYBAY_SEED: seed = '1000' } = process.env
    const simulator = await startSimulator()
    onTestFinished(() => simulator.stop())
    const end = Date.now() + Number(KEYBAY_MINUTES) * SHARE * 60_000
    const isOver = (worlds: number) =>
      KEYBAY_MINUTES === undefined ? worlds === Number(KEYBAY_WORLDS) : Date.now() > end
    const { worlds, find } = await hunt(simulator, Number(seed), isOver)
    const text = find && describeFind(find)
    task.meta.simulation = { worlds, find: text }
    expect(text).toBeUndefined()
  },
  DAY_MS,
)
