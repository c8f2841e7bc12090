/** Runs many worlds. */
import { generate } from './generate.js'
import type { Simulator } from './run.js'
import { shrink } from './shrink.js'
import type { Step } from './steps.js'

export interface Find {
  readonly seed: number
  readonly violation: string
  readonly trace: readonly string[]
  /** Shortened steps, which replay. */
  readonly steps: readonly Step[]
}

/** Worlds that ran, and the first that breaks an invariant, shortened. */
export interface Hunt {
  readonly worlds: number
  readonly find?: Find
}

/** Runs the worlds of consecutive seeds. @param isOver called before each world with the number of those that ran */
export async function hunt(simulator: Simulator, first: number, isOver: (worlds: number) => boolean): Promise<Hunt> {
  let worlds = 0
  for (; !isOver(worlds); worlds++) {
    const seed = first + worlds
    const { violation } = await simulator.run(generate(seed))
    if (violation === undefined) continue
    const steps = await shrink(simulator, generate(seed), violation)
    const { trace } = await simulator.run(steps)
    return { worlds: worlds + 1, find: { seed, violation, trace, steps } }
  }
  return { worlds }
}

/** Returns the trace and the steps of a find, and last its seed. */
export function describeFind({ seed, violation, trace, steps }: Find): string {
  const lines = [...trace, 'Steps, for worlds.ts:', ...steps.map(step => `  ${JSON.stringify(step)},`)]
  return [...lines, `Seed ${seed}: ${violation}.`].join('\n')
}
