/**
 * Measures a page and a cross-site frame that answers at once, over three lanes: raw MessagePorts, Keybay's protocol
 * (acknowledged, checked by schemas on both sides in both directions) and penpal. Short runs take turns, so that the
 * machine's noise affects all alike; the ratio is computed within each turn.
 */
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { launchBrowser } from '@keybay/sandbox-tools/launch-browser'
import { buildPages } from './host-page.mjs'
import { temporaryFolder, undoing } from './measured.mjs'
import { servePages } from './page-server.mjs'
import { median } from './stats.mjs'

/**
 * @typedef {import('../messages/lanes.js').Path} Path
 *
 * @typedef {object} Turn
 * @property {Readonly<Record<Path, number>>} alone ms per message, one at a time
 * @property {Readonly<Record<Path, number>>} crowded messages per second, 100 in flight
 *
 * @typedef {object} MessageFigures Medians.
 * @property {Readonly<Record<Path, number | undefined>>} aloneMs
 * @property {Readonly<Record<Path, number | undefined>>} crowdedPerSecond
 * @property {number | undefined} toRaw One at a time, in times of raw.
 * @property {number | undefined} toPenpal 100 in flight, in times of penpal's throughput.
 */

const pages = fileURLToPath(new URL('../messages', import.meta.url))
const IN_FLIGHT = 100
/** Messages per run; a page's clock ticks in 100 µs. */
const ALONE = 60
const CROWDED = 2_000
const WARM_UP = 3
/** Timeout of one turn, which takes well below a second. */
const TIMEOUT_MS = 60_000

/**
 * Runs all lanes once in the page, in the given order.
 * @param {{ order: readonly Path[], alone: number, crowded: number, inFlight: number }} options
 * @returns {Promise<Turn>}
 */
async function takeTurn({ order, alone, crowded, inFlight }) {
  const turn = { alone: { raw: 0, keybay: 0, penpal: 0 }, crowded: { raw: 0, keybay: 0, penpal: 0 } }
  for (const path of order) {
    const { ask } = window.lanes[path]
    const started = performance.now()
    for (let message = 0; message < alone; message++) await ask()
    turn.alone[path] = (performance.now() - started) / alone
  }
  for (const path of order) {
    const { ask } = window.lanes[path]
    let left = crowded
    const started = performance.now()
    await Promise.all(
      Array.from({ length: inFlight }, async () => {
        while (left-- > 0) await ask()
      }),
    )
    turn.crowded[path] = (crowded * 1000) / (performance.now() - started)
  }
  return turn
}

/** @param {readonly Turn[]} turns @returns {MessageFigures} */
export function summarizeTurns(turns) {
  const middle = (/** @type {'alone' | 'crowded'} */ what, /** @type {Path} */ path) =>
    median(turns.map(turn => turn[what][path]))
  const all = (/** @type {'alone' | 'crowded'} */ what) => ({
    raw: middle(what, 'raw'),
    keybay: middle(what, 'keybay'),
    penpal: middle(what, 'penpal'),
  })
  return {
    aloneMs: all('alone'),
    crowdedPerSecond: all('crowded'),
    toRaw: median(turns.map(({ alone }) => alone.keybay / alone.raw)),
    toPenpal: median(turns.map(({ crowded }) => crowded.keybay / crowded.penpal)),
  }
}

/** @param {number} count number of turns @returns {Promise<MessageFigures>} */
export function measureMessages(count) {
  return undoing(async onEnd => {
    const folder = temporaryFolder(onEnd)
    await buildPages(folder, { host: join(pages, 'host.ts'), frame: join(pages, 'frame.ts') })
    const server = await servePages(folder, {})
    onEnd(server.close)
    const browser = await launchBrowser()
    onEnd(() => browser.close())
    const page = await browser.newPage()
    const at = (/** @type {string} */ name, /** @type {string} */ file) =>
      `${server.origin.replace('localhost', `${name}.localhost`)}/${file}.html`
    await page.goto(`${at('app', 'host')}?${new URLSearchParams({ frame: at('wallet', 'frame') })}`)
    await page.waitForFunction(() => 'lanes' in window)
    /** @type {Path[]} */
    const order = ['raw', 'keybay', 'penpal']
    /** @type {Turn[]} */
    const turns = []
    for (let turn = 0; turn < WARM_UP + count; turn++) {
      const options = { order, alone: ALONE, crowded: CROWDED, inFlight: IN_FLIGHT }
      const taken = await Promise.race([page.evaluate(takeTurn, options), timeOut()])
      if (turn >= WARM_UP) turns.push(taken)
      // Rotates the order: the first lane becomes the last one of the next turn.
      order.push(...order.splice(0, 1))
    }
    return summarizeTurns(turns)
  })
}

/** @returns {Promise<never>} */
function timeOut() {
  const late = new Error(`A turn of messages took longer than ${TIMEOUT_MS / 1000} s`)
  return new Promise((_, reject) => setTimeout(() => reject(late), TIMEOUT_MS).unref())
}
