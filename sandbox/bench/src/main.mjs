/**
 * `npm run bench`: measures, prints, writes the figures to results/latest.json, and fails when a figure misses its
 * budget.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { command } from '@keybay/sandbox-tools/command'
import { version as vite } from 'vite'
import { measureApi } from './api.mjs'
import { reportApi } from './api-report.mjs'
import { tally, verdictLine } from './budgets.mjs'
import { measureCustody } from './custody.mjs'
import { reportCustody } from './custody-report.mjs'
import { results } from './entries.mjs'
import { frameBytes } from './frame-size.mjs'
import { parseOptions } from './options.mjs'
import { measureRenders } from './renders.mjs'
import { comparison, reportRenders, reportServices, reportSizes } from './reports.mjs'
import { measureChain, measureStart } from './services.mjs'
import { measureSizes } from './sizes.mjs'
import { asMarkdown, asText } from './table.mjs'
import { measureTransfers } from './transfers.mjs'
import { reportTransfers } from './transfers-report.mjs'
import { measureWaas } from './waas.mjs'
import { reportWaas } from './waas-report.mjs'

const thorough = {
  runs: 11,
  full: 3,
  starts: 3,
  apiMs: 4_000,
  turns: 31,
  rounds: 4_000,
  transfers: 60,
  thousand: 1_000,
  transferTurns: 31,
}
const quickly = {
  runs: 2,
  full: 1,
  starts: 1,
  apiMs: 1_000,
  turns: 7,
  rounds: 500,
  transfers: 8,
  thousand: 50,
  transferTurns: 5,
}

command(async () => {
  const { quick, markdown, sections, entries } = parseOptions(process.argv.slice(2))
  const counts = quick ? quickly : thorough
  /** @type {import('./budgets.mjs').Verdict[]} */
  const verdicts = []
  /** @param {import('./reports.mjs').Report} report */
  const show = report => {
    for (const { title, table } of report.tables) console.info(`\n${title}\n\n${asText(table)}`)
    verdicts.push(...report.verdicts)
  }

  const sizes = sections.has('sizes') ? await measureSizes(entries) : new Map()
  if (sections.has('sizes')) show(reportSizes(entries, sizes, frameBytes()))
  const renders = sections.has('renders') ? await measureRenders(entries, counts) : []
  if (sections.has('renders')) show(reportRenders(entries, renders))
  /** A service that fails is a missed budget, and no reason to lose the other figures. @param {unknown} error */
  const failed = error => {
    console.error(error)
    return undefined
  }
  const starts = sections.has('services') ? await measureStart(counts.starts).catch(failed) : undefined
  const chain = sections.has('services') ? await measureChain().catch(failed) : undefined
  const api = sections.has('services') ? await measureApi(counts.apiMs).catch(failed) : undefined
  if (sections.has('services')) show(reportServices(starts, chain))
  if (sections.has('services')) show(reportApi(api))
  const waas = sections.has('waas') ? await measureWaas(counts).catch(failed) : undefined
  if (sections.has('waas')) show(reportWaas(waas))
  const custody = sections.has('custody') ? await measureCustody(counts).catch(failed) : undefined
  if (sections.has('custody')) show(reportCustody(custody))
  const transfers = sections.has('transfers') ? await measureTransfers(counts).catch(failed) : undefined
  if (sections.has('transfers')) show(reportTransfers(transfers))

  const versions = { node: process.versions.node, vite, cores: availableParallelism() }
  mkdirSync(results, { recursive: true })
  writeFileSync(
    join(results, 'latest.json'),
    JSON.stringify(
      {
        at: new Date(),
        versions,
        quick,
        sizes: Object.fromEntries(sizes),
        renders,
        starts,
        chain,
        api,
        waas,
        custody,
        transfers,
        verdicts,
      },
      null,
      2,
    ),
  )
  if (markdown) console.info(`\n${asMarkdown(comparison(entries, sizes, renders))}`)
  console.info(`\nBudgets\n\n${verdicts.map(verdictLine).join('\n')}\n\n${tally(verdicts)}`)
  return verdicts.every(({ met }) => met) ? 0 : 1
})
