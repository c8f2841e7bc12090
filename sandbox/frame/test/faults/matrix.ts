/** Runs an operation once for each cell, and reports how each ended. */
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { Outcome } from '../user.js'
import { getReason, inTime } from './diagnosis.js'
import type { ChooseCells } from './fault.js'
import { arm, type Fault, record, type Step, VICTIMS, type Victim } from './fault.js'
import type { Moment } from './service.js'
import type { Stack } from './stack.js'

export interface Operation {
  readonly name: string
  /** Page that contains the frame. */
  readonly page: Page
  /** Runs the operation as the user does. Rejects when the page is gone. */
  attempt(): Promise<Outcome>
  /**
   * Inspects everything, and fails if a share is lost or two epochs sign.
   * @returns a text that changes exactly when the operation takes effect
   */
  look(): Promise<string>
  /** Prepares another run after the operation has taken effect. */
  again?(): Promise<void>
}
/**
 * Ending of an attempt: it succeeded; it took effect after an error; it was refused; nothing changed. `–`: the
 * participant took no part in the step.
 */
type Ending = 'done' | 'resumed' | 'refused' | 'unchanged' | '–'
export interface Row {
  readonly operation: string
  readonly step: string
  readonly cells: ReadonlyMap<Victim, readonly Ending[]>
}

/** Errors that name the participant that does not answer, or report that the user closed a window that did not load. */
const CLEAR = [
  'api_unavailable',
  'frame_api_unreachable',
  'frame_backup_unreachable',
  'frame_relay_unreachable',
  'iframe_load_failed',
  'peer_unavailable',
  'user_rejected',
]

/** Runs the operation with the fault, and revives all participants if it throws. */
async function attemptWith(fault: Fault, operation: Operation): Promise<Outcome> {
  const gone = fault.frameGone.then((): Outcome => ({}))
  try {
    // An attempt on a page that is taken away has no result; `gone` resolves when the page is back.
    const attempt = operation.attempt().catch((error: unknown) => {
      if (!fault.isFrameDying()) throw error
      return gone
    })
    const outcome = await Promise.race([attempt, gone])
    if (fault.isFrameDying()) await gone
    return outcome
  } catch (error) {
    await fault.end()
    throw error
  }
}

/** Result of the last look at each operation. */
const states = new WeakMap<Operation, string>()

async function breakAt(
  stack: Stack,
  operation: Operation,
  [cell, victim, step, moment]: readonly [name: string, Victim, Step, Moment],
  say: (doing: string) => void,
): Promise<Ending> {
  // An unfinished attempt may resume behind this moment; the next try then reaches the moment.
  for (let tries = 0; tries < 2; tries++) {
    say('looking at the state before')
    const before = states.get(operation) ?? (await operation.look())
    const fault = await arm(stack, operation.page, victim, step, moment)
    say('trying')
    const outcome = await attemptWith(fault, operation)
    say(`reviving all participants after ${JSON.stringify(outcome)}`)
    const broke = await fault.end()
    say('looking at the result')
    const after = await operation.look().catch((cause: unknown) => {
      // The reason goes into the message, because a log shows nothing else of a remote error.
      throw new Error(`${cell}: lost, or two epochs: ${getReason(cause)}`, { cause })
    })
    const changed = after !== before
    states.set(operation, after)
    if (changed && operation.again) {
      say('preparing the next run')
      await operation.again()
      states.delete(operation)
    }
    if (broke) {
      if ('value' in outcome) return 'done'
      if (outcome.code !== undefined) expect(CLEAR, cell).toContain(outcome.code)
      if (changed) return 'resumed'
      return outcome.code === undefined ? 'unchanged' : 'refused'
    }
    expect(outcome, `${cell}: failed without a fault`).toHaveProperty('value')
  }
  return '–'
}

/** Breaks the chosen cells of an operation, and yields a row for each step. */
export async function* runMatrix(stack: Stack, operation: Operation, choose: ChooseCells): AsyncGenerator<Row, void> {
  const steps = await inTime(stack, `${operation.name}: a clean run`, async say => {
    say('looking at the state before')
    await operation.look()
    say('trying')
    const recorded = await record(stack, operation.page, async () => {
      expect(await operation.attempt(), operation.name).toHaveProperty('value')
    })
    say('looking at the result')
    await operation.look()
    say('preparing the next run')
    await operation.again?.()
    return recorded
  })
  for (const step of steps) {
    const cells = new Map<Victim, readonly Ending[]>()
    for (const { victim, moment } of choose(step)) {
      const cell = `${operation.name}: ${step.name} × ${victim} (${moment})`
      const ending = await inTime(stack, cell, say => breakAt(stack, operation, [cell, victim, step, moment], say))
      cells.set(victim, [...(cells.get(victim) ?? []), ending])
    }
    if (cells.size > 0) yield { operation: operation.name, step: step.name, cells }
  }
}

/** Formats the rows as a table, with a block for each operation. */
export function printed(rows: readonly Row[]): string {
  const heads = rows.map(({ operation }, index) => (operation === rows[index - 1]?.operation ? '' : `${operation}\n`))
  const lines = [
    ['', ...VICTIMS],
    ...rows.map(({ step, cells }) => [`  ${step}`, ...VICTIMS.map(victim => cells.get(victim)?.join(' / ') ?? '–')]),
  ]
  const widths = [...VICTIMS.keys(), VICTIMS.length].map(column =>
    Math.max(...lines.map(line => line[column]?.length ?? 0)),
  )
  return lines
    .map((line, index) => {
      const text = line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')
      return `${heads[index - 1] ?? ''}${text.trimEnd()}`
    })
    .join('\n')
}
