/**
 * The fault matrix: each participant dies at each step of each operation. Services are processes that are killed and
 * restarted; the frame is a page that is reloaded. A clean run finds the steps and their participants.
 *
 * `npm test` breaks each step once (see faults/fault.ts); `npm run test:soak` sets `KEYBAY_SOAK=1` and breaks every
 * cell. Two operations that send the same requests as another one are broken only where something is written, kept or
 * put in force.
 */
import { expect, it } from 'vitest'
import { delegating, revoking } from './faults/delegating.js'
import { inTime } from './faults/diagnosis.js'
import { createChoice, isWritten, type Step, VICTIMS } from './faults/fault.js'
import { type Operation, printed, type Row, runMatrix } from './faults/matrix.js'
import { addingDevice, backingUp, creating, resharing, restoring, restoringOneMore } from './faults/operations.js'
import { type Stack, setUpStack } from './faults/stack.js'

const stack = setUpStack()
const choose = createChoice()
const rows: Row[] = []

function every(): boolean {
  return true
}
type Make = (stack: Stack) => Promise<Operation>
it.each<readonly [name: string, steps: (step: Step) => boolean, make: Make]>([
  ['[S1.7][S13.2] creates a wallet', every, at => creating(at, 'THREE_OF_FIVE')],
  ['[S1.11] reshares 2/2 to 2/3', every, at => resharing(at, { from: 'TWO_OF_TWO', to: 'TWO_OF_THREE' })],
  ['[S1.10] refreshes', isWritten, at => resharing(at, { from: 'TWO_OF_THREE', to: 'refresh' })],
  ['[S1.11] reshares 2/3 to 3/5', isWritten, at => resharing(at, { from: 'TWO_OF_THREE', to: 'THREE_OF_FIVE' })],
  ['[S1.7] adds a device', every, addingDevice],
  ['[S1.8] backs up', every, backingUp],
  ['[S1.12] restores in the place of a lost device', every, restoring],
  ['[S1.12] restores as one more device', every, restoringOneMore],
  ['delegates', every, delegating],
  ['revokes', every, revoking],
])(
  '%s: no matter which participant dies, no share is lost, one epoch signs, and the next attempt continues',
  async (_, steps, make) => {
    const operation = await inTime(stack(), 'preparing', () => make(stack()))
    for await (const row of runMatrix(stack(), operation, step => (steps(step) ? choose(step) : []))) rows.push(row)
  },
  // Time limit of each step.
  1_200_000,
)

it('prints the fault table, in which every participant died at least once', () => {
  process.stdout.write(`\n${printed(rows)}\n`)
  const died = new Set(
    rows.flatMap(({ cells }) =>
      [...cells].flatMap(([victim, endings]) => (endings.some(ending => ending !== '–') ? [victim] : [])),
    ),
  )
  expect([...died].toSorted()).toEqual([...VICTIMS].toSorted())
})
