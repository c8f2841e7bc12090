/** Measures the cost of one transfer, counted on the wire. */
import { median } from './stats.mjs'

/**
 * @typedef {object} Measured
 * @property {number} calls HTTP requests; Keybay's are of one JSON-RPC call each.
 * @property {number} bytes Both ways, the websocket's among them.
 * @property {number} ms Until it says that it is confirmed.
 *
 * @typedef {{ [K in keyof Measured]: number | undefined }} Cost
 */

/**
 * @param {import('./counting-proxy.mjs').Counts} counts
 * @param {() => Promise<unknown>} transfer
 * @returns {Promise<Measured>}
 */
export async function measureOne(counts, transfer) {
  const before = { ...counts }
  const started = performance.now()
  await transfer()
  const ms = performance.now() - started
  return { calls: counts.calls - before.calls, bytes: counts.bytes - before.bytes, ms }
}

/** Medians. @param {readonly Measured[]} all @returns {Cost} */
export function getCost(all) {
  return {
    calls: median(all.map(({ calls }) => calls)),
    bytes: median(all.map(({ bytes }) => bytes)),
    ms: median(all.map(({ ms }) => ms)),
  }
}
