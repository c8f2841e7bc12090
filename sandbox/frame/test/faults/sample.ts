/** Chooses the cells of a run: the whole product in a soak test, a representative sample otherwise. */
import { getMoments, getVictims, type Step, type Victim } from './fault.js'
import type { Moment } from './service.js'

export interface Cell {
  readonly victim: Victim
  readonly moment: Moment
}
export type ChooseCells = (step: Step) => readonly Cell[]

function getCells(step: Step): readonly Cell[] {
  return getVictims(step).flatMap(victim => getMoments(step).map(moment => ({ victim, moment })))
}

/**
 * Returns one cell for each name of a step, over all operations of a run, and with them every victim and moment once.
 * Steps of the same name are the same request to the same service.
 */
function createSample(): ChooseCells {
  const sampled = new Set<string>()
  const uses = new Map<string, number>()
  const countUses = ({ victim, moment }: Cell) => uses.get(`${victim} ${moment}`) ?? 0
  return step => {
    const isNew = !sampled.has(step.name)
    sampled.add(step.name)
    const [cell] = getCells(step).toSorted((a, b) => countUses(a) - countUses(b))
    if (!cell || !(isNew || countUses(cell) === 0)) return []
    uses.set(`${cell.victim} ${cell.moment}`, countUses(cell) + 1)
    return [cell]
  }
}

/** Returns every cell if `KEYBAY_SOAK` is 1. */
export function createChoice(): ChooseCells {
  return process.env.KEYBAY_SOAK === '1' ? getCells : createSample()
}
