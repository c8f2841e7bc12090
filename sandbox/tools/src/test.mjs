/**
 * `npm test` runs everything, `npm test -- kernel react` some packages; `--force` also repeats cached runs. `npm run
 * test:quick` and `npm run test:soak` run this program with `--quick` and `--soak`. Ends with the line `N passed, N
 * failed`.
 */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { canInstall } from './apt.mjs'
import { CHROMIUM, HEADLESS_SHELL, requireChromium } from './browser.mjs'
import { build, bundle, declare, turbo } from './build.mjs'
import { ensureOtherNode, otherMajor } from './cached-package.mjs'
import { Advice, command, run } from './command.mjs'
import { ensureInstalled } from './install.mjs'
import { inLanes, splitIntoJobs } from './lanes.mjs'
import { findMemoryFolder } from './memory-folder.mjs'
import { ETCD, ensurePrograms, PATRONI, POSTGRES, PROMTOOL, PYTHON } from './programs.mjs'
import { packages, root } from './repo.mjs'
import { reporting } from './reporting.mjs'
import { add, failureText, line, nothing, problem, readSum } from './sums.mjs'

/** @typedef {import('./repo.mjs').Package} Package @typedef {import('./sums.mjs').Sum} Sum @typedef {import('./lanes.mjs').Job} Job */

/**
 * Packages also tested on the second Node: they use Node modules, native code or streams. Page code runs in browsers.
 */
const ON_BOTH_NODES = ['kernel', 'service', 'chain']

const USAGE = 'Usage: npm test -- [--force] [package …]'

function readOptions() {
  try {
    const flag = /** @type {const} */ ({ type: 'boolean' })
    return parseArgs({ allowPositionals: true, options: { force: flag, quick: flag, soak: flag } })
  } catch (error) {
    throw new Advice(`${error instanceof Error ? error.message : error}\n${USAGE}`)
  }
}

/** @param {readonly string[]} ids */
function select(ids) {
  const all = packages().filter(({ manifest }) => manifest.scripts?.test)
  const unknown = ids.filter(name => !all.some(({ id }) => id === name))
  if (unknown.length > 0)
    throw new Advice(`No package ${unknown.join(', ')}. There are: ${all.map(({ id }) => id).join(', ')}.`)
  return ids.length === 0 ? all : all.filter(({ id }) => ids.includes(id))
}

/** @param {Package} pkg @param {string} task */
function reportPath({ folder }, task) {
  return join(root, folder, '.reports', task === 'test' ? 'vitest.json' : `vitest-${task.slice('test:'.length)}.json`)
}

/** @param {readonly Package[]} chosen @param {string} task */
function sumUp(chosen, task) {
  return add(...chosen.map(pkg => readSum(reportPath(pkg, task), task === 'test' ? pkg.id : `${pkg.id} ${task}`)))
}

/**
 * Runs one job with turbo.
 * @param {Job} job
 * @param {{ force: boolean, env: NodeJS.ProcessEnv, background: boolean }} options
 * @returns {Promise<Sum>}
 */
async function runJob({ task, packages: chosen }, { force, env, background }) {
  const args = ['--continue=dependencies-successful', '--output-logs=new-only', '--concurrency=1']
  const filters = chosen.map(({ name }) => `--filter=${name}`)
  // `--force` repeats only the tests, because other jobs read the build output.
  const forced = force ? ['--force', '--only'] : []
  const { code } = await turbo(task, [...args, ...filters, ...forced], { env, background })
  const sum = sumUp(chosen, task)
  return code !== 0 && sum.failed === 0 ? add(sum, problem(`${task}: failed without a failed test in its report`)) : sum
}

/**
 * Runs vitest once over several projects.
 * @param {string} name
 * @param {string} program path of Node
 * @param {readonly string[]} args
 * @param {{ env: NodeJS.ProcessEnv, background?: boolean }} options
 * @returns {Promise<Sum>}
 */
async function runVitest(name, program, args, options) {
  const report = join(root, 'sandbox/tools/.reports', `${name.toLowerCase().replace(' ', '-')}.json`)
  rmSync(report, { force: true })
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const { code } = await run(program, [vitest, 'run', `--root=${root}`, ...args, ...reporting(report)], options)
  const sum = readSum(report, name)
  return code !== 0 && sum.failed === 0 ? add(sum, problem(`${name}: the run ended with code ${code}`)) : sum
}

/** @param {NodeJS.ProcessEnv} env @returns {Promise<Sum>} */
async function runOnOtherNode(env) {
  const program = await ensureOtherNode()
  console.info(`\n${ON_BOTH_NODES.join(', ')} on Node ${otherMajor}`)
  const projects = ON_BOTH_NODES.map(id => `--project=${id}`)
  return runVitest(`Node ${otherMajor}`, program, projects, { env, background: true })
}

/** @returns {Promise<Sum>} a failure if a test names a row that does not exist */
async function checkConformance() {
  const { code, output } = await run(process.execPath, ['sandbox/testing/conformance/main.mjs'], { show: false })
  if (code !== 0) return problem(`conformance: ${output.trim()}`)
  console.info(`\nSpecification: ${output.trimEnd().split('\n').at(-1)} (npm run conformance)`)
  return nothing
}

/**
 * Tests every chosen package; without a choice, also the second Node and the proofs of the specification.
 * @param {readonly string[]} ids
 * @param {{ force: boolean, env: NodeJS.ProcessEnv }} options
 */
async function runPackages(ids, { force, env }) {
  const chosen = select(ids)
  // An old report must not replace a missing one; turbo restores the reports of cached runs.
  for (const { folder } of chosen) rmSync(join(root, folder, '.reports'), { recursive: true, force: true })
  const { front, back } = splitIntoJobs(chosen)
  const complete = ids.length === 0
  const extra = [
    // Downloads the libraries of the end-to-end dapps while the processor is busy. The test that needs them reports a
    // failure.
    async () => {
      await run(process.execPath, ['sandbox/testing/src/dapps.mjs'], { env, background: true, show: false })
      return nothing
    },
    () => runOnOtherNode(env),
  ]
  const sums = await inLanes(
    front.map(job => () => runJob(job, { force, env, background: false })),
    [...(complete ? extra : []), ...back.map(job => () => runJob(job, { force, env, background: front.length > 0 }))],
  )
  return add(...sums, complete ? await checkConformance() : nothing)
}

/** @throws {Advice} if a package does not build, or its types are wrong */
async function installAndBuild() {
  await ensureInstalled()
  await build(bundle)
  if ((await declare()).code !== 0) throw new Advice('The types do not fit: see the errors above.')
}

/**
 * Installs programs and dependencies, and builds. The distribution's packages come while npm installs and the build
 * runs; a failure of one lets the other end, because apt-get must not be interrupted.
 * @param {{ quick: boolean, soak: boolean }} options
 * @throws {Advice} for what is missing
 */
async function prepare({ quick, soak }) {
  if (!quick && !canInstall()) requireChromium()
  const programs = quick ? [PYTHON] : [CHROMIUM, HEADLESS_SHELL, PYTHON, POSTGRES, PROMTOOL]
  if (soak) programs.push(PATRONI, ETCD)
  const results = await Promise.allSettled([ensurePrograms(programs), installAndBuild()])
  for (const result of results) if (result.status === 'rejected') throw result.reason
  if (!quick) requireChromium()
}

command(async () => {
  const { positionals, values } = readOptions()
  const { force = false, quick = false, soak = false } = values
  await prepare({ quick, soak })
  /** @type {NodeJS.ProcessEnv} */
  const env = { TMPDIR: findMemoryFolder(), ...process.env }
  // The tools would colour their output on a build machine too.
  if (!process.stdout.isTTY) env.NO_COLOR = '1'
  const filters = positionals.map(id => `--project=${id}`)
  const total = quick
    ? await runVitest('Quick', process.execPath, ['--maxWorkers=100%', ...filters], {
        env: { ...env, KEYBAY_QUICK: '1' },
      })
    : soak
      ? await runVitest(
          'Soak',
          process.execPath,
          ['fault-matrix', 'soak', 'fuzz', 'deploy.test', 'day.test', ...filters],
          { env: { ...env, KEYBAY_SOAK: '1' } },
        )
      : await runPackages(positionals, { force, env })
  // Both go to one stream, so that the line always comes last.
  console.info(`${failureText(total)}\n${line(total)}`)
  return total.failed > 0 || total.passed === 0 ? 1 : 0
})
