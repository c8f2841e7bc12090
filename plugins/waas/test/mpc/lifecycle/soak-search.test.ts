/** Runs many random worlds of the model: for `npm run test:soak` and `npm run simulate -- --minutes`. */
import { expect, it } from 'vitest'
import { PRODUCT_RULES } from '../../../src/mpc/lifecycle/world.js'
import { describeFind, runSeed } from './random-worlds.js'

declare module 'vitest' {
  interface TaskMeta {
    /** Result for the command `npm run simulate`. */
    simulation?: { readonly worlds: number; readonly find: string | undefined }
  }
}

const DAY_MS = 86_400_000
/** Part of the minutes of `npm run simulate` that is for the model. */
const SHARE = 0.25

it(
  'many random worlds of the model keep every invariant',
  ({ task }) => {
    const { KEYBAY_MINUTES, KEYBAY_SEED: seed = '100000' } = process.env
    const end = Date.now() + Number(KEYBAY_MINUTES) * SHARE * 60_000
    let worlds = 0
    let find: ReturnType<typeof runSeed>
    while (!find && (KEYBAY_MINUTES === undefined ? worlds < 50_000 : Date.now() < end))
      find = runSeed(Number(seed) + worlds++, PRODUCT_RULES)
    const text = find && describeFind(find)
    task.meta.simulation = { worlds, find: text }
    expect(text).toBeUndefined()
  },
  DAY_MS,
)
