/** Reports the cost of transfers and the share that lands, beside other kits. */
import { atLeast, atMost } from './budgets.mjs'
import { figure } from './table.mjs'
import { KINDS } from './transfer-kinds.mjs'
import { LEVELS } from './transfers.mjs'

/** Maximum HTTP requests of one transfer of any kind, including its simulation. */
const CALLS_LIMIT = 4

/** @param {import('./transfers.mjs').Landing | undefined} landing */
function share(landing) {
  return landing ? `${figure((100 * landing.landed) / landing.asked, 0)} %` : '–'
}
/** @param {import('./transfers.mjs').Landing | undefined} landing */
function wrong(landing) {
  return landing ? String(landing.twice + landing.untrue) : '–'
}

/** @param {import('./transfers.mjs').TransferFigures | undefined} figures @returns {import('./reports.mjs').Report} */
export function reportTransfers(figures) {
  const all = figures?.kits ?? []
  const [keybayFigures] = all
  const plain = all.find(({ name }) => name === '@solana/web3.js')
  const head = [
    'one transfer of SOL, confirmed',
    'HTTP requests',
    'bytes',
    'ms',
    '× web3.js',
    ...LEVELS.flatMap(percent => (percent ? [`landed, ${percent} % faults`, 'wrong'] : [`landed`])),
  ]
  const rows = all.map(({ name, calls, bytes, ms, landing }) => [
    name,
    figure(calls, 0),
    figure(bytes, 0),
    figure(ms, 0),
    figure(ms !== undefined && plain?.ms ? ms / plain.ms : undefined, 2),
    ...LEVELS.flatMap(percent => (percent ? [share(landing[percent]), wrong(landing[percent])] : [share(landing[0])])),
  ])
  const thousand = figures?.thousand
  const many = {
    head: [
      'Keybay, every fifth call wrong',
      'transfers',
      'landed',
      'twice',
      'confirmed and not there',
      'how the others ended',
      's',
    ],
    rows: thousand
      ? [
          [
            '',
            String(thousand.asked),
            String(thousand.landed),
            String(thousand.twice),
            String(thousand.untrue),
            Object.entries(thousand.missed)
              .map(([end, count]) => `${count} ${end}`)
              .join(', ') || '–',
            figure(thousand.seconds, 0),
          ],
        ]
      : [],
  }
  const kinds = figures?.kinds ?? []
  const costs = {
    head: ['Keybay, one transfer of', 'HTTP requests', 'bytes', 'ms'],
    rows: kinds.map(({ name, calls, bytes, ms }) => [name, figure(calls, 0), figure(bytes, 0), figure(ms, 0)]),
  }
  const worst = keybayFigures && LEVELS.map(percent => keybayFigures.landing[percent])
  return {
    tables: [
      { title: 'Transfers', table: { head, rows } },
      { title: 'Kinds of transfers', table: costs },
      { title: 'Many transfers', table: many },
    ],
    verdicts: [
      atMost('HTTP requests of a transfer', keybayFigures?.calls, CALLS_LIMIT),
      ...KINDS.map(kind =>
        atMost(`HTTP requests of a transfer of ${kind}`, kinds.find(({ name }) => name === kind)?.calls, CALLS_LIMIT),
      ),
      atLeast(
        'of the transfers landed with every fifth call wrong',
        thousand && (100 * thousand.landed) / thousand.asked,
        100,
        '%',
      ),
      atMost(
        'transfers landed twice, or told to be there and not',
        worst &&
          thousand &&
          [...worst, thousand].reduce((sum, result) => sum + (result ? result.twice + result.untrue : 0), 0),
        0,
      ),
    ],
  }
}
