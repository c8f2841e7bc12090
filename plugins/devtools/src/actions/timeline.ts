/** Collects actions and their rows. It knows no event; `rules.ts` does. */
import type { Entry } from '../api.js'

export type Outcome = 'pending' | 'done' | 'failed'
export type RowKind = 'click' | 'step' | 'prompt' | 'wallet' | 'frame' | 'relay' | 'rpc' | 'event'

/** An interval of an action, or a moment if it ends when it starts. */
export interface Row {
  readonly kind: RowKind
  readonly name: string
  /** ms since epoch */
  readonly startedAt: number
  /** Undefined while it runs. */
  readonly endedAt: number | undefined
  readonly outcome: Outcome
}
export interface Action extends Omit<Row, 'kind'> {
  /** The id of its first entry. */
  readonly id: number
  /** In the order of their starts. */
  readonly rows: readonly Row[]
}

type Draft<T> = { -readonly [K in keyof T]: T[K] }
interface ActionDraft extends Draft<Omit<Action, 'rows'>> {
  readonly key: string
  rows: Draft<Row>[]
}
/** An action or a row. */
type Span = Pick<Draft<Row>, 'name' | 'endedAt' | 'outcome'>

export class Timeline {
  readonly #actions: ActionDraft[] = []
  /** The newest span of each key. */
  readonly #spans = new Map<string, Span>()
  /** The action that is, or has, the span of each key. */
  readonly #byKey = new Map<string, ActionDraft>()
  /** Ended rows of no action. The next action takes those that began after its click. */
  #orphans: Row[] = []
  #lastClick: number | undefined

  get actions(): readonly Action[] {
    return this.#actions.map(({ key, ...action }) => ({
      ...action,
      rows: action.rows.toSorted((a, b) => a.startedAt - b.startedAt),
    }))
  }

  has(key: string): boolean {
    return this.#byKey.has(key)
  }

  /** Key of the action that runs; of the newest, if there are several. */
  get running(): string | undefined {
    return this.#current()?.key
  }

  /** Begins an action: at the click that led to it, if no earlier action began with that click. */
  begin(key: string, name: string, { id, at, clickedAt }: Entry): void {
    const click = clickedAt === this.#lastClick ? undefined : clickedAt
    this.#lastClick = clickedAt ?? this.#lastClick
    const startedAt = click ?? at
    const action: ActionDraft = { key, id, name, startedAt, endedAt: undefined, outcome: 'pending', rows: [] }
    if (click !== undefined)
      action.rows.push({ kind: 'click', name: 'Click', startedAt: click, endedAt: click, outcome: 'done' })
    action.rows.push(...this.#orphans.filter(row => row.startedAt >= startedAt))
    this.#orphans = []
    this.#actions.push(action)
    this.#spans.set(key, action)
    this.#byKey.set(key, action)
  }

  /** Begins a row in the action of a key, or in the one that runs. */
  start(key: string, row: Pick<Row, 'kind' | 'name'>, startedAt: number, actionKey?: string): void {
    const span: Draft<Row> = { ...row, startedAt, endedAt: undefined, outcome: 'pending' }
    this.#spans.set(key, span)
    const action = this.#find(actionKey)
    if (!action) return
    action.rows.push(span)
    this.#byKey.set(key, action)
  }

  /** Ends an action or a row. @param code of the error, if it failed */
  end(key: string, at: number, outcome: Outcome, code?: string): void {
    const span = this.#spans.get(key)
    if (!span) return
    span.endedAt = at
    span.outcome = outcome
    if (code) span.name += ` · ${code}`
  }

  /** Adds a row that has ended to the action of a key, or to the one that ran when the row began. */
  add(row: Omit<Row, 'outcome'>, code?: string, actionKey?: string): void {
    const name = code ? `${row.name} · ${code}` : row.name
    const ended: Row = { ...row, name, outcome: code ? 'failed' : 'done' }
    const action = actionKey === undefined ? this.#runningAt(row.startedAt) : this.#find(actionKey)
    if (action) action.rows.push(ended)
    else this.#orphans.push(ended)
  }

  /** Ends rows that have no event for their end, when their action has ended. */
  endRows(actionKey: string, at: number, outcome: Outcome): void {
    for (const row of this.#byKey.get(actionKey)?.rows ?? [])
      if (row.outcome === 'pending') Object.assign(row, { endedAt: at, outcome })
  }

  #current(): ActionDraft | undefined {
    return this.#actions.findLast(({ outcome }) => outcome === 'pending')
  }

  #find(key: string | undefined): ActionDraft | undefined {
    const action = key === undefined ? undefined : this.#byKey.get(key)
    return action?.outcome === 'pending' ? action : this.#current()
  }

  #runningAt(time: number): ActionDraft | undefined {
    return this.#actions.findLast(
      ({ startedAt, endedAt }) => startedAt <= time && (endedAt === undefined || endedAt >= time),
    )
  }
}
