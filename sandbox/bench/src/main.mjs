/**
 * `npm run bench`: measures, prints, writes the figures to results/latest.json, and fails when a figure misses its
 * budget.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { exitAfterOutput } from '@keybay/sandbox-service'
import { command } from '@keybay/sandbox-tools/command'
import { version as vite } from 'vite'
import { measureApi, reportApi } from './api.mjs'
import { tally, verdictLine } from './budgets.mjs'
import { measureCosts, reportCosts } from './cost.mjs'
import { measureCustody, reportCustody } from './custody.mjs'
import { results } from './entries.mjs'
import { frameBytes } from './frame-size.mjs'
import { measureGrowth, reportGrowth } from './growth.mjs'
import { parseOptions } from './options.mjs'
import { measurePageLoad, reportPageLoad } from './page-load.mjs'
import { measureRenders } from './renders.mjs'
import { comparison, reportRenders, reportServices, reportSizes } from './reports.mjs'
import { measureChain, measureStart } from './services.mjs'
import { measureSignUp, reportSignUp } from './sign-up.mjs'
import { measureSizes } from './sizes.mjs'
import { asMarkdown, asText } from './table.mjs'
import { measureTransfers } from './transfers.mjs'
import { reportTransfers } from './transfers-report.mjs'
import { measureWaas, reportWaas } from './waas.mjs'

const thorough = {
  runs: 11,
  peerRuns: 11,
  full: 3,
  lists: [10, 100, 1000],
  starts: 3,
  apiMs: 4_000,
  turns: 31,
  rounds: 4_000,
  ceremonies: 100,
  refusals: 4_000,
  rows: 1_000_000,
  loads: 5,
  signUps: 60,
  transfers: 60,
  thousand: 1_000,
  transferTurns: 31,
  together: false,
}
const quickly = {
  runs: 2,
  peerRuns: 1,
  full: 1,
  lists: [10, 1000],
  starts: 1,
  apiMs: 1_000,
  turns: 7,
  rounds: 500,
  ceremonies: 20,
  refusals: 120,
  rows: 20_000,
  loads: 2,
  signUps: 8,
  transfers: 8,
  thousand: 50,
  transferTurns: 5,
  together: true,
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

  /**
   * Measures a section. A failure is a missed budget, and no reason to lose the other figures.
   * @template T
   * @param {import('./options.mjs').Section} section
   * @param {() => Promise<T>} work
   * @returns {Promise<T | undefined>}
   */
  const measure = async (section, work) => {
    if (!sections.has(section)) return undefined
    return work().catch(error => {
      console.error(error)
      return undefined
    })
  }

  const sizes = sections.has('sizes') ? await measureSizes(entries) : new Map()
  if (sections.has('sizes')) show(reportSizes(entries, sizes, frameBytes()))
  const renders = sections.has('renders') ? await measureRenders(entries, counts) : []
  if (sections.has('renders')) show(reportRenders(entries, renders))
  const starts = await measure('services', () => measureStart(counts.starts))
  const chain = await measure('services', measureChain)
  if (sections.has('services')) show(reportServices(starts, chain))
  // No budget depends on the API's figures.
  const api = quick ? undefined : await measure('services', () => measureApi(counts.apiMs))
  if (api) show(reportApi(api))
  const cost = await measure('cost', () => measureCosts(counts))
  if (sections.has('cost')) show(reportCosts(cost))
  const waas = await measure('waas', () => measureWaas(counts))
  if (sections.has('waas')) show(reportWaas(waas))
  const signUps = await measure('sign-up', () => measureSignUp(counts))
  if (sections.has('sign-up')) show(reportSignUp(signUps))
  const custody = await measure('custody', () => measureCustody(counts))
  if (sections.has('custody')) show(reportCustody(custody))
  const transfers = await measure('transfers', () => measureTransfers(counts))
  if (sections.has('transfers')) show(reportTransfers(transfers))
  const page = await measure('page', () => measurePageLoad(counts))
  if (sections.has('page')) show(reportPageLoad(page))
  const growth = await measure('growth', () => measureGrowth(counts))
  if (sections.has('growth')) show(reportGrowth(growth))

  const versions = { node: process.versions.node, vite, cores: availableParallelism() }
  const figures = {
    sizes: Object.fromEntries(sizes),
    renders,
    starts,
    chain,
    api,
    cost,
    waas,
    signUps,
    custody,
    transfers,
    page,
    growth,
    verdicts,
  }
  mkdirSync(results, { recursive: true })
  writeFileSync(join(results, 'latest.json'), JSON.stringify({ at: new Date(), versions, quick, ...figures }, null, 2))
  if (markdown) console.info(`\n${asMarkdown(comparison(entries, sizes, renders))}`)
  console.info(`\nBudgets\n\n${verdicts.map(verdictLine).join('\n')}\n\n${tally(verdicts)}`)
  // Explicitly: the websockets of some kits try for minutes to reach their chain, which is stopped.
  exitAfterOutput(verdicts.every(({ met }) => met) ? 0 : 1)
})
