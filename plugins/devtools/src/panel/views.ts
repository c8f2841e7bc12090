/** The three views of the panel: actions, events and state. */
import type { Kernel } from '@keybay/kernel'
import type { Action, Row } from '../actions/timeline.js'
import type { Entry } from '../api.js'
import { createList, element, fillDetails, type ListView } from './dom.js'
import { readState } from './exported.js'
import { formatClock, formatMs, summarize } from './words.js'

function duration({ startedAt, endedAt }: Pick<Row, 'startedAt' | 'endedAt'>): string {
  return endedAt === undefined ? 'running' : formatMs(endedAt - startedAt)
}

function time(at: number): HTMLElement {
  return element('time', { datetime: new Date(at).toISOString() }, formatClock(at))
}

/** Draws the row's interval within its action. Decoration: the text beside it says the same. */
function bar(row: Row, action: Action, end: number): HTMLElement {
  const whole = Math.max(1, end - action.startedAt)
  const percent = (ms: number) => `${Math.min(100, Math.max(0, (ms / whole) * 100))}%`
  const fill = element('span', { class: 'bar', 'data-kind': row.kind, 'data-outcome': row.outcome })
  // Not as an attribute, which a content security policy may refuse.
  fill.style.marginInlineStart = percent(row.startedAt - action.startedAt)
  fill.style.width = percent((row.endedAt ?? end) - row.startedAt)
  return element('span', { class: 'track', 'aria-hidden': 'true' }, fill)
}

function waterfall(action: Action): HTMLElement {
  const times = action.rows.flatMap(({ startedAt, endedAt = startedAt }) => [startedAt, endedAt])
  const end = action.endedAt ?? Math.max(action.startedAt, ...times)
  const rows = action.rows.map(row =>
    element(
      'tr',
      {},
      element('th', { scope: 'row', 'data-outcome': row.outcome }, `${row.name} `, bar(row, action, end)),
      element('td', {}, row.kind),
      element('td', {}, formatMs(row.startedAt - action.startedAt)),
      element('td', {}, duration(row)),
    ),
  )
  const titles = ['Step', 'Kind', 'After', 'Took'].map(title => element('th', { scope: 'col' }, title))
  return element(
    'table',
    {},
    element('caption', {}, `Steps of “${action.name}”`),
    element('thead', {}, element('tr', {}, ...titles)),
    element('tbody', {}, ...rows),
  )
}

export function createActionsView(): ListView<Action> {
  return createList('Actions', (target, action) => {
    const gist = element(
      'span',
      { class: 'gist' },
      [action.outcome, duration(action)].filter(word => word !== 'pending').join(' · '),
    )
    const name = element('span', { class: 'name', 'data-outcome': action.outcome }, action.name, gist)
    fillDetails(target, [name, time(action.startedAt)], waterfall(action))
  })
}

export function createEventsView(): ListView<Entry> {
  return createList('Events', (target, { at, event, payload }) => {
    const gist = element('span', { class: 'gist' }, summarize(payload))
    const json = element('pre', {}, JSON.stringify(payload, undefined, 2) ?? '')
    fillDetails(target, [element('span', { class: 'name mono' }, event, gist), time(at)], json)
  })
}

export function createStateView(kernel: Kernel): { readonly element: HTMLElement; show(): void } {
  const view = element('div', { class: 'state' })
  return {
    element: view,
    show() {
      const { session, connectors } = readState(kernel)
      const titles = ['Connector', 'Type', 'Readiness', 'State'].map(title => element('th', { scope: 'col' }, title))
      const rows = connectors.map(({ id, type, readiness, state, accounts }) =>
        element(
          'tr',
          {},
          element('th', { scope: 'row' }, id, ...accounts.map(address => element('span', { class: 'gist' }, address))),
          ...[type, readiness, state].map(value => element('td', {}, value)),
        ),
      )
      const user = session.userId === undefined ? '' : ` · user ${session.userId}`
      view.replaceChildren(
        element('p', {}, `Session: ${session.status}${user}`),
        element(
          'table',
          {},
          element('caption', {}, 'Connectors'),
          element('thead', {}, element('tr', {}, ...titles)),
          element('tbody', {}, ...rows),
        ),
      )
    },
  }
}
