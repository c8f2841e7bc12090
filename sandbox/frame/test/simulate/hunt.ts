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

/** Runs the worlds of consecutive seeds. @returns the first that breaks an invariant, shortened */
export async function hunt(simulator: Simulator, first: number, worlds: number): Promise<Find | undefined> {
  for (let seed = first; seed < first + worlds; seed++) {
    const { violation } = await simulator.run(generate(seed))
    if (violation === undefined) continue
    const steps = await shrink(simulator, generate(seed), violation)
    const { trace } = await simulator.run(steps)
    return { seed, violation, trace, steps }
  }
  return undefined
}

/** Returns the trace and the steps of a find, and last its seed. */
export function describeFind({ seed, violation, trace, steps }: Find): string {
  const lines = [...trace, 'Steps, for worlds.ts:', ...steps.map(step => `  ${JSON.stringify(step)},`)]
  return [...lines, `Seed ${seed}: ${violation}.`].join('\n')
}
