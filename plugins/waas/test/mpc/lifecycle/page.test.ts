import { expect, it } from 'vitest'
import { TRANSITIONS, type Transition } from '../../../src/mpc/lifecycle/table.js'

const PLACES = { frame: 'The frame', R1: 'R1', R2: 'R2' } as const

const HEAD = `# Lifecycle of a share set

What happens to one epoch of a share set, in the frame and at each relay. This page is generated from
\`src/mpc/lifecycle/table.ts\`, and the search of [\`test/mpc/lifecycle\`](https://github.com/keybay/keybay/tree/main/plugins/waas/test/mpc/lifecycle) checks that no order of steps leaves the table. To write
it again: \`npx vitest run --project waas page -u\`.

States: \`dealt\` (the share exists, and the ceremony can end without it), \`pending\` (proved, and backed up; waits for the
record), \`active\` (signs), \`superseded\` (another epoch signs; the frame keeps the share aside), \`revoked\`, \`frozen\` (the
relay is behind its peer), \`none\` (no share). A relay has erased its share of a revoked set.

## Who can erase a share

No message of a relay and no unsigned error erases the user's last threshold of shares. Signing out, clearing memory or
changing the password erases none. The frame's store has no other way to erase than these rows.
`

function listSigners({ signedBy }: Transition): string {
  return signedBy.join(', ') || '–'
}

function toTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => '---'), ...rows]
  return lines.map(cells => `| ${cells.join(' | ')} |`).join('\n')
}

function renderErasures(): string {
  const rows = TRANSITIONS.filter(({ erases }) => erases)
  return toTable(
    ['at', 'event', 'the share was', 'signed by', 'because'],
    rows.map(row => [row.at, row.event, row.from.join(', '), listSigners(row), row.because]),
  )
}

function renderPlace(at: Transition['at']): string {
  const rows = TRANSITIONS.filter(row => row.at === at)
  const arrows = rows.flatMap(({ from, to, event }) =>
    from.flatMap(before => to.filter(after => after !== before).map(after => ({ before, after, event }))),
  )
  const edges = new Map<string, Set<string>>()
  for (const { before, after, event } of arrows) {
    const edge = `${before === 'none' ? '[*]' : before} --> ${after === 'none' ? '[*]' : after}`
    edges.set(edge, (edges.get(edge) ?? new Set()).add(event))
  }
  const diagram = [...edges].map(([edge, events]) => `    ${edge}: ${[...events].join(', ')}`)
  const table = toTable(
    ['event', 'from', 'to', 'signed by', 'because'],
    rows.map(row => [row.event, row.from.join(', '), row.to.join(', '), listSigners(row), row.because]),
  )
  return [`## ${PLACES[at]}`, '```mermaid', 'stateDiagram-v2', ...diagram, '```', '', table]
    .join('\n')
    .replace('\n```m', '\n\n```m')
}

it('LIFECYCLE.md shows the table of transitions', async () => {
  const places = (['frame', 'R1', 'R2'] as const).map(renderPlace)
  const page = [`${HEAD}\n${renderErasures()}`, ...places].join('\n\n')
  await expect(`${page}\n`).toMatchFileSnapshot('../../../LIFECYCLE.md')
})
