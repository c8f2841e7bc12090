/**
 * `npm test`: everything, or `npm test -- kernel react` for some packages; `--force` repeats what the cache holds.
 * Ends with the line `N passed, N failed`.
 */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { ensureChromium } from './browser.mjs'
import { build, turbo } from './build.mjs'
import { Advice, command, run } from './command.mjs'
import { ensureInstalled } from './install.mjs'
import { ensureOtherNode, otherMajor } from './other-node.mjs'
import { packages, root } from './repo.mjs'
import { reporting } from './reporting.mjs'
import { tryAgain } from './second-try.mjs'
import { add, line, nothing, problem, readSum, told, toldOfChance } from './sums.mjs'

/**
 * A browser for a user's patience: one of these at a time. Each keeps about one core busy, so all others run meanwhile, with
 * what these leave (`background`): as if the browsers had the machine to themselves.
 */
const withBrowser = ['sandbox/wallets', 'sandbox/app', 'sandbox/bench', 'sandbox/frame', 'sandbox/e2e']
/** A browser too, but patient with all that die in it: after all others of the background, where it is as long as those in front. */
const last = 'sandbox/fault-matrix'
/** No browser and no build output of their own: these run once more on the other Node. */
const onBothNodes = ['kernel', 'react', 'wallet-standard', 'solana', 'chain']

/** @typedef {import('./repo.mjs').Package} Package @typedef {import('./sums.mjs').Sum} Sum */

function select() {
  const all = packages().filter(({ manifest }) => manifest.scripts?.test)
  const { positionals, values } = (() => {
    try {
      return parseArgs({ allowPositionals: true, options: { force: { type: 'boolean' } } })
    } catch (error) {
      throw new Advice(`${error instanceof Error ? error.message : error}\nUsage: npm test -- [--force] [package …]`)
    }
  })()
  const unknown = positionals.filter(name => !all.some(({ id }) => id === name))
  if (unknown.length > 0)
    throw new Advice(`No package ${unknown.join(', ')}. There are: ${all.map(({ id }) => id).join(', ')}.`)
  const chosen = positionals.length === 0 ? all : all.filter(({ id }) => positionals.includes(id))
  return { chosen, complete: positionals.length === 0, force: values.force ?? false }
}

/** The tests alone: what is built stays as it is, for others read it at the same time. */
const anew = ['--force', '--only']

/** @param {Package} one */
function reportOf(one) {
  return join(root, one.folder, '.reports', 'vitest.json')
}

/**
 * @param {readonly Package[]} chosen
 * @param {{ concurrency: number, force: boolean, env: NodeJS.ProcessEnv, background: boolean }} options
 * @returns {Promise<Sum>} what no report tells
 */
async function runAll(chosen, { concurrency, force, env, background }) {
  if (chosen.length === 0) return nothing
  const filters = chosen.map(({ name }) => `--filter=${name}`)
  const args = [
    '--continue=dependencies-successful',
    '--output-logs=new-only',
    `--concurrency=${concurrency}`,
    ...filters,
  ]
  const { code } = await turbo('test', force ? [...args, ...anew] : args, { env, background })
  return code !== 0 && sumUp(chosen).failed === 0
    ? problem('a test run ended with an error, yet no report tells of it')
    : nothing
}

/** @param {readonly Package[]} chosen */
function sumUp(chosen) {
  return add(...chosen.map(one => readSum(reportOf(one), one.id)))
}

/**
 * @param {readonly Package[]} chosen
 * @param {{ env: NodeJS.ProcessEnv, background: boolean }} options
 * @returns {Promise<Sum>}
 */
async function runOnOtherNode(chosen, options) {
  const ids = chosen.map(({ id }) => id).filter(id => onBothNodes.includes(id))
  if (ids.length === 0) return nothing
  const name = `Node ${otherMajor}`
  const report = join(root, 'sandbox/tools/.reports', `node-${otherMajor}.json`)
  const program = await ensureOtherNode()
  console.info(`\n${ids.join(', ')} once more on ${name}`)
  const projects = ids.map(id => `--project=${id}`)
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const { code } = await run(program, [vitest, 'run', `--root=${root}`, ...projects, ...reporting(report)], options)
  const sum = readSum(report, name)
  return code !== 0 && sum.failed === 0 ? add(sum, problem(`${name}: the run ended with code ${code}`)) : sum
}

command(async () => {
  const { chosen, complete, force } = select()
  await ensureInstalled()
  /** @type {NodeJS.ProcessEnv} */
  const env = { ...process.env, CHROMIUM_PATH: await ensureChromium() }
  // The tools colour what they print for a build machine too.
  if (!process.stdout.isTTY) env.NO_COLOR = '1'
  // A report of an earlier run must not stand in for one that is missing; turbo restores those of cached runs.
  for (const { folder } of chosen) rmSync(join(root, folder, '.reports'), { recursive: true, force: true })
  await build()

  const inFront = chosen.filter(({ folder }) => withBrowser.includes(folder))
  const others = chosen.filter(({ folder }) => !withBrowser.includes(folder) && folder !== last)
  const background = inFront.length > 0
  const runOthers = async () => {
    // The browsers come to these late. Where they cannot be had, the test that needs them says so.
    if (complete) await run(process.execPath, ['sandbox/e2e/src/dapps.mjs'], { env, background, show: false })
    const sum = await runAll(others, { concurrency: background ? 1 : 2, force, env, background })
    const other = complete ? await runOnOtherNode(chosen, { env, background }) : nothing
    const atLast = chosen.filter(({ folder }) => folder === last)
    return add(sum, other, await runAll(atLast, { concurrency: 1, force, env, background }))
  }
  const untold = await Promise.all([runAll(inFront, { concurrency: 1, force, env, background: false }), runOthers()])
  const chances = await tryAgain(chosen, reportOf, { env })
  const sums = [...untold, sumUp(chosen)]
  if (complete) {
    const { code, output } = await run(process.execPath, ['sandbox/conformance/src/main.mjs'], { show: false })
    if (code === 0) console.info(`\nSpecification: ${output.trimEnd().split('\n').at(-1)} (npm run conformance)`)
    else sums.push(problem(`conformance: ${output.trim()}`))
  }
  const total = add(...sums)
  // One stream for both, so that the line comes last wherever they are read.
  console.info(`${toldOfChance(chances)}${told(total)}\n${line(total)}`)
  return total.failed > 0 || total.passed === 0 ? 1 : 0
})
