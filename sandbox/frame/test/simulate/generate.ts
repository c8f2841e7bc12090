/** Makes the steps of a world from a seed. */
import { RELAY_ERROR_CODES } from '@keybay/sandbox-relay/testing/error-list'
import { createRandom, type Random } from './random.js'
import type { Action, Fault, Forgery, Scheme, Step } from './steps.js'

const SCHEMES: readonly Scheme[] = ['TWO_OF_THREE', 'THREE_OF_FIVE', 'TWO_OF_TWO']
const FORGERIES: readonly Forgery[] = ['revoked', 'active', 'next epoch', 'looser', 'tighter', 'older']
const [MIN_STEPS, MORE_STEPS] = [6, 6]
/** Adapter calls that a fault may hit, by adapter. */
const CALLS = { network: 12, R1: 24, R2: 24, disk: 12 } as const

type Draw = (random: Random) => readonly Action[]

function device({ pick }: Random): number {
  return pick([0, 0, 0, 1])
}
function party({ pick }: Random): 'R1' | 'R2' {
  return pick(['R1', 'R1', 'R2'] as const)
}
function reshare(random: Random): Action {
  return { do: 'reshare', device: device(random), scheme: random.pick(SCHEMES) }
}
function policy(random: Random): Action {
  return { do: 'policy', device: device(random), limit: 1 + random.int(9) }
}
function revoke(random: Random): Action {
  return { do: 'revoke', device: device(random), set: 1 + random.int(3) }
}
function restore({ pick }: Random): Action {
  return { do: 'restore', device: pick([1, 1, 0]), mode: pick(['add-device', 'replace-device']) }
}
const delegate: Action = { do: 'delegate', device: 0 }

/** Runs a change between a snapshot of a database and its return. */
function putBackLater(random: Random): readonly Action[] {
  const name = party(random)
  const change = random.pick([restore, revoke, policy, reshare])(random)
  return [{ do: 'snapshot', party: name }, change, { do: 'put back', party: name }]
}

/** Actions that follow each other, each list as often as it is drawn. Other steps may be drawn in between. */
const DRAWS: readonly (readonly [weight: number, draw: Draw])[] = [
  [2, random => [{ do: 'list', device: random.int(2) }]],
  [2, random => [{ do: 'sign', device: device(random) }]],
  [4, random => [{ do: 'refresh', device: device(random) }]],
  [4, random => [reshare(random)]],
  [2, () => [{ do: 'join', device: 1 }]],
  [4, random => [restore(random)]],
  [1, random => [{ do: 'backup', device: device(random) }]],
  [4, () => [delegate, { do: 'accept' }]],
  [2, random => [delegate, revoke(random), { do: 'accept' }]],
  [1, () => [{ do: 'delegate signs' }]],
  [3, random => [revoke(random)]],
  [3, random => [policy(random)]],
  [2, random => [policy(random), reshare(random)]],
  [4, putBackLater],
  [3, random => [{ do: 'foreign begin', set: random.int(3) }]],
  [1, () => [{ do: 'show record' }]],
  [
    2,
    random => [
      { do: 'forged list', device: random.int(2), status: random.pick(['active', 'revoked']), epochs: random.int(2) },
    ],
  ],
  [2, random => [{ do: 'forged record', set: random.int(3), what: random.pick(FORGERIES) }]],
  [1, random => [{ do: 'kill', party: party(random) }]],
  [1, random => [{ do: 'clock', party: random.pick(['R1', 'R2', 'device']), minutes: random.pick([-90, -2, 1, 90]) }]],
  [1, () => [{ do: 'deliver late' }]],
  [1, () => [{ do: 'sweep' }]],
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
  if (depth === 0 && chance(0.35)) return { ...call, what: 'inner step', moment, step: drawInner(random, depth + 1) }
  const what = pick(['drop request', 'drop answer', 'deliver twice', 'late', 'kill sender', 'kill receiver'] as const)
  return { ...call, what }
}

function drawInner(random: Random, depth: number): Step {
  return random.pick(drawSteps(random, depth))
}

function withFaults(random: Random, action: Action, depth: number): Step {
  if (!random.chance(0.35)) return action
  return { ...action, faults: Array.from({ length: 1 + random.int(2) }, () => drawFault(random, depth)) }
}

function drawSteps(random: Random, depth: number): readonly Step[] {
  return random
    .pick(BAG)(random)
    .map(action => withFaults(random, action, depth))
}

/** Returns the steps of the world of a seed. The same seed always gives the same steps. */
export function generate(seed: number): readonly Step[] {
  const random = createRandom(seed)
  const steps: Step[] = [{ do: 'create', device: 0, scheme: random.pick(SCHEMES) }]
  if (random.chance(0.4)) steps.push({ do: 'create', device: 2, scheme: 'TWO_OF_TWO' })
  const length = MIN_STEPS + random.int(MORE_STEPS)
  while (steps.length < length) steps.push(...drawSteps(random, 0))
  return steps
}
