/** Visits every entry's page many times, interleaved, so that the machine's noise affects all alike. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { launchBrowser } from '@keybay/sandbox-tools/launch-browser'
import { buildPage } from './bundle.mjs'
import { peerFolder } from './entries.mjs'
import { servePages } from './page-server.mjs'
import { prepare } from './peers.mjs'
import { highest, median } from './stats.mjs'
import { addEvents, visit, warmUp } from './visit.mjs'

/**
 * @typedef {import('./entries.mjs').Entry} Entry
 * @typedef {import('./visit.mjs').Visit} Visit
 *
 * Renders are the most that any run needed; `missed` counts registrations that never reached the list.
 * @typedef {Record<'evalMs' | 'listedMs' | 'registerMs', number | undefined>} Times Medians in ms.
 * @typedef {Record<'settled' | 'unconnectedChange' | 'connectedChange' | 'registerRenders', number | undefined>} Renders
 * @typedef {{ entry: string, wallets: number, missed: number, errors: readonly string[] } & Times & Renders} Summary
 */

/** @template T @param {T | undefined} value @returns {value is T} */
function isThere(value) {
  return value !== undefined
}

/** @param {string} entry @param {number} wallets @param {readonly Visit[]} visits @returns {Summary} */
export function summarize(entry, wallets, visits) {
  const events = visits.map(({ events }) => events).filter(isThere)
  const registered = visits.flatMap(({ registerMs }) => registerMs)
  const connected = events.map(({ connectedChange }) => connectedChange)
  return {
    entry,
    wallets,
    evalMs: median(visits.map(({ evalMs }) => evalMs).filter(isThere)),
    listedMs: median(visits.map(({ listedMs }) => listedMs).filter(isThere)),
    registerMs: median(registered.filter(isThere)),
    settled: highest(events.map(({ settled }) => settled)),
    unconnectedChange: highest(events.map(({ unconnectedChange }) => unconnectedChange)),
    // A run that could not connect leaves the figure undefined.
    connectedChange: connected.every(isThere) ? highest(connected.filter(isThere)) : undefined,
    registerRenders: highest(events.flatMap(({ registerRenders }) => registerRenders)),
    missed: registered.filter(ms => ms === undefined).length,
    errors: [...new Set(visits.flatMap(({ errors }) => errors))],
  }
}

/**
 * @param {readonly Entry[]} entries
 * @param {{ runs: number, peerRuns: number, full: number, lists: readonly number[] }} options visits per entry, or peer, and
 *   list length; `full` of these also count renders
 * @returns {Promise<readonly Summary[]>}
 */
export async function measureRenders(entries, { runs, peerRuns, full, lists }) {
  const folder = mkdtempSync(join(tmpdir(), 'keybay-bench-'))
  const browser = await launchBrowser()
  const server = await servePages(folder)
  try {
    const pages = entries.flatMap(entry => {
      const { name, wallets: kind } = entry
      const visits = peerFolder(entry) ? peerRuns : runs
      return kind ? [{ name, kind, visits, url: `${server.origin}/${name}/` }] : []
    })
    for (const entry of entries) if (entry.wallets) await buildPage(await prepare(entry), join(folder, entry.name))
    for (const { url, kind } of pages) await warmUp(browser, { url, kind, wallets: 10 })
    const summaries = []
    for (const wallets of lists) {
      console.info(`Measuring with ${wallets} wallets …`)
      /** @type {Map<string, Visit[]>} */
      const visits = new Map(pages.map(({ name }) => [name, []]))
      for (let run = 0; run < runs; run++)
        for (const page of run % 2 ? pages : [...pages].reverse())
          if (run < page.visits) visits.get(page.name)?.push(await visit(browser, { ...page, wallets }))
      // All entries at once, because renders are counted here, and nothing is timed.
      for (let run = 0; run < full; run++)
        await Promise.all(
          pages.map(async page => {
            const those = visits.get(page.name) ?? []
            const [visited] = those.slice(run, run + 1)
            if (visited) those[run] = await addEvents(browser, { ...page, wallets }, visited)
          }),
        )
      for (const [name, those] of visits) summaries.push(summarize(name, wallets, those))
    }
    return summaries
  } finally {
    server.close()
    await browser.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
