/** Reports the measurements as tables, and as verdicts on the budgets. */
import { atLeast, atMost } from './budgets.mjs'
import { KiB } from './sizes.mjs'
import { median } from './stats.mjs'
import { figure } from './table.mjs'

/**
 * @typedef {import('./budgets.mjs').Verdict} Verdict
 * @typedef {import('./entries.mjs').Entry} Entry
 * @typedef {import('./renders.mjs').Summary} Summary
 * @typedef {import('./services.mjs').ChainFigures} ChainFigures
 * @typedef {import('./sizes.mjs').Size} Size
 * @typedef {import('./table.mjs').Table} Table
 *
 * @typedef {object} Report
 * @property {readonly { title: string, table: Table }[]} tables
 * @property {readonly Verdict[]} verdicts
 */

/** Gzip KiB of the smallest app that lists, connects and signs, without React. */
export const SIZE_LIMIT = 11.5
/** Gzip KiB that registering @keybay/solana may add to that app: 0.9 is the bundler's loader, and the chunk that it shares. */
export const SOLANA_LIMIT = 1.75
/** Gzip KiB of the same app when users can also sign in, by wallet, code and passkey. */
export const ACCOUNTS_LIMIT = 14.5
/** KiB that the UI kit with its style sheet adds to that; its views load when they are first shown. */
export const KIT_LIMIT = 25
/** Gzip KiB that one social provider, and all 22 of them, may add to the app with accounts. */
export const SOCIAL_LIMITS = { one: 0.8, all: 3.5 }
/** Gzip KiB of the same app when embedded wallets are registered too. */
export const WAAS_LIMIT = 15.5
/** Gzip KiB that custody wallets may add to the app with embedded wallets. */
export const TURNKEY_LIMIT = 0.6
/** Gzip KiB that deep links, mobile wallets and browser extensions may add together, and of the app with everything. */
export const WALLETS_LIMIT = 2
export const ALL_LIMIT = 22
/** Gzip KiB of the wallet frame’s page with everything it loads at once. */
export const FRAME_LIMIT = 90
/** Maximum time from registered to listed, relative to the floor entry in the same run. */
const REGISTER_RATIO = 1.3
/** Maximum time of a warm `npm start` until all services are ready. */
const START_LIMIT_MS = 6000

/** Budgets of sizes: an entry, and the entry whose size does not count. */
/** @type {readonly (readonly [name: string, entry: string, without: string | undefined, limit: number])[]} */
const SIZE_BUDGETS = [
  ['size of Keybay', 'keybay', undefined, SIZE_LIMIT],
  ['@keybay/solana adds', 'keybay-solana', 'keybay', SOLANA_LIMIT],
  ['size of Keybay with accounts', 'keybay-accounts', undefined, ACCOUNTS_LIMIT],
  ['one social provider adds', 'keybay-social-one', 'keybay-accounts', SOCIAL_LIMITS.one],
  ['22 social providers add', 'keybay-social', 'keybay-accounts', SOCIAL_LIMITS.all],
  ['size of Keybay with accounts and embedded wallets', 'keybay-waas', undefined, WAAS_LIMIT],
  ['custody wallets add', 'keybay-turnkey', 'keybay-waas', TURNKEY_LIMIT],
  ['deep links, mobile wallets and browser extensions add', 'keybay-wallets', 'keybay-waas', WALLETS_LIMIT],
  ['size of Keybay with everything', 'keybay-all', undefined, ALL_LIMIT],
]

/** Tables of the parts of an entry's initial size. */
/** @type {readonly (readonly [title: string, entry: string, by: 'packages' | 'files'])[]} */
const PARTS = [
  ['Keybay by package, gzip', 'keybay', 'packages'],
  ['Keybay by file, gzip', 'keybay', 'files'],
  ['Keybay with @keybay/solana by package, gzip', 'keybay-solana', 'packages'],
  ['Keybay with accounts by package, gzip', 'keybay-accounts', 'packages'],
  ['Keybay with embedded wallets by package, gzip', 'keybay-waas', 'packages'],
]

/**
 * @param {readonly Entry[]} entries
 * @param {ReadonlyMap<string, Size>} sizes
 * @param {number} [frame] gzip bytes of the wallet frame's page
 * @returns {Report}
 */
export function reportSizes(entries, sizes, frame) {
  const verdicts = SIZE_BUDGETS.flatMap(([name, entry, without, limit]) => {
    const initial = sizes.get(entry)?.initial
    const rest = without === undefined ? 0 : sizes.get(without)?.initial
    return initial === undefined || rest === undefined ? [] : [atMost(name, (initial - rest) / KiB, limit, 'KiB')]
  })
  if (sizes.has('keybay-waas'))
    verdicts.push(atMost('size of the wallet frame’s page', frame && frame / KiB, FRAME_LIMIT, 'KiB'))
  const rows = entries.map(({ name, title }) => {
    const size = sizes.get(name)
    return [title, figure(size && size.initial / KiB, 2), figure(size && size.total / KiB, 2)]
  })
  const head = ['KiB gzip, without React', 'initial', 'total']
  const parts = PARTS.flatMap(([title, entry, by]) => {
    const size = sizes.get(entry)
    if (!size) return []
    return [{ title, table: { head: ['', 'bytes'], rows: size[by].map(({ name, bytes }) => [name, String(bytes)]) } }]
  })
  return {
    tables: [{ title: 'The smallest app that lists, connects and signs', table: { head, rows } }, ...parts],
    verdicts,
  }
}

/** @param {Summary} ours @param {Summary | undefined} floor @returns {readonly Verdict[]} */
function renderVerdicts(ours, floor) {
  const at = `at ${ours.wallets} wallets`
  const ratio =
    ours.registerMs !== undefined && floor?.registerMs !== undefined ? ours.registerMs / floor.registerMs : undefined
  return [
    atMost(`renders until settled, ${at}`, ours.settled, 1),
    atMost(`renders on an unconnected wallet's change, ${at}`, ours.unconnectedChange, 0),
    atMost(`renders on a connected wallet's change, ${at}`, ours.connectedChange, 0),
    atMost(`renders when one registers, ${at}`, ours.registerRenders, 1),
    atMost(`registrations missed, ${at}`, ours.missed, 0),
    ...(floor ? [atMost(`register → listed, ${at}`, ratio, REGISTER_RATIO, 'times the floor')] : []),
  ]
}

/** @param {readonly Entry[]} entries @param {readonly Summary[]} summaries @returns {Report} */
export function reportRenders(entries, summaries) {
  const rows = entries.flatMap(({ name, title }) =>
    summaries
      .filter(({ entry }) => entry === name)
      .map(summary => [
        title,
        summary.wallets.toLocaleString('en'),
        figure(summary.evalMs, 0),
        figure(summary.listedMs, 0),
        figure(summary.registerMs, 2),
        figure(summary.settled, 0),
        figure(summary.unconnectedChange, 0),
        figure(summary.connectedChange, 0),
        figure(summary.registerRenders, 0),
        String(summary.missed),
      ]),
  )
  const head = [
    'median ms; most renders',
    'wallets',
    'eval ms',
    'listed ms',
    'register ms',
    'until settled',
    'unconnected',
    'connected',
    'registers',
    'missed',
  ]
  const verdicts = summaries
    .filter(({ entry }) => entry === 'keybay')
    .flatMap(ours =>
      renderVerdicts(
        ours,
        summaries.find(({ entry, wallets }) => entry === 'floor' && wallets === ours.wallets),
      ),
    )
  return { tables: [{ title: 'In Chromium', table: { head, rows } }], verdicts }
}

/**
 * @param {readonly number[] | undefined} starts in ms; undefined, like `chain`, when the measurement failed
 * @param {ChainFigures | undefined} chain
 * @returns {Report}
 */
export function reportServices(starts, chain) {
  const started = median(starts ?? [])
  const rows = [
    ['npm start, warm, ms', figure(started, 0)],
    ['chain ready, ms', figure(chain?.processReadyMs, 0)],
    ['transfers per second, with preflight', figure(chain?.transfersPerSecond, 0)],
    ['sendAndConfirm, ms', figure(chain?.sendAndConfirmMs)],
    ['snapshot at 10,000 transactions, ms', figure(chain?.snapshotMs, 0)],
  ]
  const verdicts = [
    atMost('npm start, warm', started, START_LIMIT_MS, 'ms'),
    atMost('chain ready', chain?.processReadyMs, 500, 'ms'),
    atLeast('transfers with preflight', chain?.transfersPerSecond, 1500, 'per second'),
    atMost('sendAndConfirm', chain?.sendAndConfirmMs, 15, 'ms'),
    atMost('snapshot at 10,000 transactions', chain?.snapshotMs, 100, 'ms'),
  ]
  return { tables: [{ title: 'Services', table: { head: ['', 'median'], rows } }], verdicts }
}

/** @param {readonly Summary[]} summaries @param {'evalMs' | 'listedMs' | 'registerMs'} what @param {number} digits */
function slashed(summaries, what, digits) {
  return summaries.map(summary => figure(summary[what], digits)).join(' / ')
}

const renders = /** @type {const} */ (['settled', 'unconnectedChange', 'connectedChange', 'registerRenders'])

/**
 * Builds the README's comparison: one line per entry that has a page.
 * @param {readonly Entry[]} entries
 * @param {ReadonlyMap<string, Size>} sizes
 * @param {readonly Summary[]} summaries
 * @returns {Table}
 */
export function comparison(entries, sizes, summaries) {
  return {
    head: [
      'kit',
      'KiB gzip, initial (total)',
      'eval ms',
      'navigation → all listed, ms',
      'register → listed, ms',
      'renders: until settled / unconnected change / connected change / one registers',
    ],
    rows: entries
      .filter(({ wallets }) => wallets)
      .map(({ name, title }) => {
        const size = sizes.get(name)
        const those = summaries.filter(({ entry }) => entry === name)
        const last = those.at(-1)
        const missed = those.some(({ missed }) => missed > 0)
        return [
          title,
          size ? `${figure(size.initial / KiB)} (${figure(size.total / KiB)})` : '–',
          slashed(those, 'evalMs', 0),
          slashed(those, 'listedMs', 0),
          missed ? 'missed' : slashed(those, 'registerMs', 1),
          last
            ? renders.map(what => figure(missed && what === 'registerRenders' ? undefined : last[what], 0)).join(' / ')
            : '–',
        ]
      }),
  }
}
