/** Shortens a world that breaks an invariant: leaves out one step or one fault at a time, and replays. */
import type { Simulator } from './run.js'
import type { Step } from './steps.js'

function* shorter(steps: readonly Step[]): Generator<readonly Step[]> {
  for (let index = steps.length - 1; index >= 0; index--) yield steps.toSpliced(index, 1)
  for (const [index, step] of steps.entries())
    for (const fault of step.faults?.keys() ?? [])
      yield steps.with(index, { ...step, faults: step.faults?.toSpliced(fault, 1) })
}

/** Returns the shortest world found that breaks an invariant in the same words. */
export async function shrink(
  simulator: Simulator,
  steps: readonly Step[],
  violation: string,
): Promise<readonly Step[]> {
  for (const candidate of shorter(steps))
    if ((await simulator.run(candidate)).violation === violation) return shrink(simulator, candidate, violation)
  return steps
}
