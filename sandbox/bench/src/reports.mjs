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
 * @typedef {import('./sizes.mjs').Part} Part
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
export const SOLANA_LIMIT = 1.7
/** Gzip KiB of the same app when users can also sign in, by wallet, code and passkey. */
export const ACCOUNTS_LIMIT = 14.5
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

/** @param {Size | undefined} size */
function initialKiB(size) {
  return size ? size.initial / KiB : undefined
}

/** @param {readonly Part[]} parts @returns {Table} */
function partsTable(parts) {
  return { head: ['', 'bytes'], rows: parts.map(({ name, bytes }) => [name, String(bytes)]) }
}

/**
 * @param {readonly Entry[]} entries
 * @param {ReadonlyMap<string, Size>} sizes
 * @param {number} [frame] gzip bytes of the wallet frame's page
 * @returns {Report}
 */
export function reportSizes(entries, sizes, frame) {
  const ours = sizes.get('keybay')
  const small = initialKiB(ours)
  const solana = sizes.get('keybay-solana')
  const large = initialKiB(solana)
  const accounts = sizes.get('keybay-accounts')
  const signedIn = initialKiB(accounts)
  const provider = initialKiB(sizes.get('keybay-social-one'))
  const providers = initialKiB(sizes.get('keybay-social'))
  const waas = sizes.get('keybay-waas')
  const withWallets = initialKiB(waas)
  /** @type {Verdict[]} */
  const verdicts = []
  if (small !== undefined) verdicts.push(atMost('size of Keybay', small, SIZE_LIMIT, 'KiB'))
  if (small !== undefined && large !== undefined)
    verdicts.push(atMost('@keybay/solana adds', large - small, SOLANA_LIMIT, 'KiB'))
  if (signedIn !== undefined) verdicts.push(atMost('size of Keybay with accounts', signedIn, ACCOUNTS_LIMIT, 'KiB'))
  if (signedIn !== undefined && provider !== undefined)
    verdicts.push(atMost('one social provider adds', provider - signedIn, SOCIAL_LIMITS.one, 'KiB'))
  if (signedIn !== undefined && providers !== undefined)
    verdicts.push(atMost('22 social providers add', providers - signedIn, SOCIAL_LIMITS.all, 'KiB'))
  if (withWallets !== undefined)
    verdicts.push(
      atMost('size of Keybay with accounts and embedded wallets', withWallets, WAAS_LIMIT, 'KiB'),
      atMost('size of the wallet frame’s page', frame && frame / KiB, FRAME_LIMIT, 'KiB'),
    )
  const withCustody = initialKiB(sizes.get('keybay-turnkey'))
  if (withWallets !== undefined && withCustody !== undefined)
    verdicts.push(atMost('custody wallets add', withCustody - withWallets, TURNKEY_LIMIT, 'KiB'))
  const withExtensions = initialKiB(sizes.get('keybay-wallets'))
  if (withWallets !== undefined && withExtensions !== undefined)
    verdicts.push(
      atMost(
        'deep links, mobile wallets and browser extensions add',
        withExtensions - withWallets,
        WALLETS_LIMIT,
        'KiB',
      ),
    )
  const everything = initialKiB(sizes.get('keybay-all'))
  if (everything !== undefined) verdicts.push(atMost('size of Keybay with everything', everything, ALL_LIMIT, 'KiB'))
  const rows = entries.map(({ name, title }) => {
    const size = sizes.get(name)
    return [title, figure(initialKiB(size), 2), figure(size && size.total / KiB, 2)]
  })
  const head = ['KiB gzip, without React', 'initial', 'total']
  /** @type {{ title: string, table: Table }[]} */
  const tables = [{ title: 'The smallest app that lists, connects and signs', table: { head, rows } }]
  if (ours) tables.push({ title: 'Keybay by package, gzip', table: partsTable(ours.packages) })
  if (ours) tables.push({ title: 'Keybay by file, gzip', table: partsTable(ours.files) })
  if (solana) tables.push({ title: 'Keybay with @keybay/solana by package, gzip', table: partsTable(solana.packages) })
  if (accounts) tables.push({ title: 'Keybay with accounts by package, gzip', table: partsTable(accounts.packages) })
  if (waas) tables.push({ title: 'Keybay with embedded wallets by package, gzip', table: partsTable(waas.packages) })
  return { tables, verdicts }
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

/**
 * @param {readonly Entry[]} entries
 * @param {readonly Summary[]} summaries
 * @returns {Report}
 */
export function reportRenders(entries, summaries) {
  const tables = entries.flatMap(({ name, title }) => {
    const those = summaries.filter(({ entry }) => entry === name)
    const rows = those.map(one => [
      one.wallets.toLocaleString('en'),
      figure(one.evalMs, 0),
      figure(one.listedMs, 0),
      figure(one.registerMs, 2),
      figure(one.settled, 0),
      figure(one.unconnectedChange, 0),
      figure(one.connectedChange, 0),
      figure(one.registerRenders, 0),
      String(one.missed),
    ])
    return rows.map(row => [title, ...row])
  })
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
  return { tables: [{ title: 'In Chromium', table: { head, rows: tables } }], verdicts }
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

/** @param {readonly (number | undefined)[]} values @param {number} digits */
function slashed(values, digits) {
  return values.map(value => figure(value, digits)).join(' / ')
}

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
          slashed(
            those.map(({ evalMs }) => evalMs),
            0,
          ),
          slashed(
            those.map(({ listedMs }) => listedMs),
            0,
          ),
          missed
            ? 'missed'
            : slashed(
                those.map(({ registerMs }) => registerMs),
                1,
              ),
          last
            ? slashed(
                [last.settled, last.unconnectedChange, last.connectedChange, missed ? undefined : last.registerRenders],
                0,
              )
            : '–',
        ]
      }),
  }
}
