/** Makes the steps of a world from a seed. */
import { RELAY_ERROR_CODES } from '@keybay/sandbox-relay/testing/error-list'
import { createRandom, type Random } from './random.js'
import type { Action, Fault, Scheme, Step } from './steps.js'

const SCHEMES: readonly Scheme[] = ['TWO_OF_THREE', 'THREE_OF_FIVE', 'TWO_OF_TWO']
const [MIN_STEPS, MORE_STEPS] = [5, 6]
/** Adapter calls that a fault may hit, by adapter. */
const CALLS = { network: 16, R1: 24, R2: 24, disk: 12 } as const

type Draw = (random: Random) => Action

function device({ int }: Random): number {
  return int(2)
}
function party({ pick }: Random): 'R1' | 'R2' {
  return pick(['R1', 'R1', 'R2'] as const)
}

/** Actions, each as often as it is drawn. */
const DRAWS: readonly (readonly [weight: number, draw: Draw])[] = [
  [3, random => ({ do: 'list', device: device(random) })],
  [2, random => ({ do: 'sign', device: device(random) })],
  [4, random => ({ do: 'refresh', device: device(random) })],
  [4, random => ({ do: 'reshare', device: device(random), scheme: random.pick(SCHEMES) })],
  [2, random => ({ do: 'join', device: device(random) })],
  [
    4,
    random => ({ do: 'restore', device: random.pick([1, 1, 0]), mode: random.pick(['add-device', 'replace-device']) }),
  ],
  [1, random => ({ do: 'backup', device: device(random) })],
  [3, () => ({ do: 'delegate', device: 0 })],
  [3, () => ({ do: 'accept' })],
  [1, () => ({ do: 'delegate signs' })],
  [4, random => ({ do: 'revoke', device: device(random), set: random.int(4) })],
  [3, random => ({ do: 'policy', device: device(random), limit: 1 + random.int(9) })],
  [1, () => ({ do: 'create', device: 2, scheme: 'TWO_OF_THREE' })],
  [2, random => ({ do: 'foreign begin', set: random.int(4) })],
  [1, () => ({ do: 'show record' })],
  [
    1,
    random => ({
      do: 'forged list',
      device: device(random),
      status: random.pick(['active', 'revoked']),
      epochs: random.int(2),
    }),
  ],
  [1, random => ({ do: 'kill', party: party(random) })],
  [2, random => ({ do: 'snapshot', party: party(random) })],
  [2, random => ({ do: 'put back', party: party(random) })],
  [1, random => ({ do: 'clock', party: random.pick(['R1', 'R2', 'device']), minutes: random.pick([-90, -2, 1, 90]) })],
  [1, () => ({ do: 'deliver late' })],
  [1, () => ({ do: 'sweep' })],
]
const BAG: readonly Draw[] = DRAWS.flatMap(([weight, draw]) => Array.from({ length: weight }, () => draw))

function drawFault(random: Random, depth: number): Fault {
  const { int, pick, chance } = random
  if (chance(0.2)) {
    const on = pick(['R1', 'R2', 'disk'] as const)
    return { on, at: int(CALLS[on]), what: 'kill' }
  }
  const call = { on: 'network', at: int(CALLS.network) } as const
  const moment = pick(['before', 'after'] as const)
  if (chance(0.15)) return { ...call, what: 'lie', code: pick(RELAY_ERROR_CODES), moment }
  if (depth === 0 && chance(0.35)) return { ...call, what: 'meanwhile', moment, step: drawStep(random, depth + 1) }
  const what = pick(['drop request', 'drop answer', 'deliver twice', 'late', 'kill sender', 'kill receiver'] as const)
  return { ...call, what }
}

function drawStep(random: Random, depth = 0): Step {
  const action = random.pick(BAG)(random)
  if (!random.chance(0.4)) return action
  const faults = Array.from({ length: 1 + random.int(2) }, () => drawFault(random, depth))
  return { ...action, faults }
}

/** Returns the steps of the world of a seed. The same seed always gives the same steps. */
export function generate(seed: number): readonly Step[] {
  const random = createRandom(seed)
  const first: Step = { do: 'create', device: 0, scheme: random.pick(SCHEMES) }
  const length = MIN_STEPS + random.int(MORE_STEPS)
  return [first, ...Array.from({ length }, () => drawStep(random))]
}
