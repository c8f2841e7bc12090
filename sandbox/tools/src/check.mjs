/** `npm run check`: runs every check that needs no test, and shows the errors of each. */
import { bundle, declare, turbo } from './build.mjs'
import { command, runTool } from './command.mjs'
import { exportNameProblems } from './export-names.mjs'
import { dependencyProblems } from './imports.mjs'
import { ensureInstalled } from './install.mjs'
import { licenceProblems } from './licences.mjs'
import { packagingProblems } from './packaging.mjs'
import { standInProblems } from './stand-ins.mjs'

/** @param {readonly string[]} problems */
function report(problems) {
  for (const problem of problems) console.error(`  ${problem}`)
  return { code: problems.length === 0 ? 0 : 1 }
}

async function checkSource() {
  // Imported late: the rules parse with Vite, which may just have been installed.
  const { checkRules } = await import('./rules/index.mjs')
  return report(checkRules())
}

async function checkApi() {
  const { apiProblems } = await import('./api-report.mjs')
  return report([...apiProblems(), ...exportNameProblems()])
}

/** @type {readonly { name: string, run: () => Promise<{ code: number }> | { code: number } }[]} */
const steps = [
  { name: 'build', run: () => bundle() },
  { name: 'biome', run: () => runTool('@biomejs/biome/bin/biome', ['ci', '.']) },
  { name: 'types of the packages', run: () => declare() },
  { name: 'types of tests and tools', run: () => runTool('typescript/bin/tsc', ['-p', 'tsconfig.test.json']) },
  { name: 'knip', run: () => runTool('knip/bin/knip.js', []) },
  { name: 'publint and attw', run: () => turbo('check', ['--output-logs=errors-only', '--continue=always']) },
  { name: 'public types', run: checkApi },
  { name: 'rules on the source', run: checkSource },
  { name: 'dependency rule', run: () => report(dependencyProblems()) },
  { name: 'stand-ins', run: () => report(standInProblems()) },
  { name: 'licences', run: () => report(licenceProblems()) },
  { name: 'packages for npm', run: () => report(packagingProblems()) },
]

command(async () => {
  await ensureInstalled()
  /** @type {string[]} */
  const failed = []
  for (const { name, run } of steps) {
    console.info(`\n— ${name}`)
    const { code } = await run()
    if (code !== 0) failed.push(name)
  }
  console.info(failed.length === 0 ? '\nAll checks passed.' : `\nNot passed: ${failed.join(', ')}.`)
  return failed.length === 0 ? 0 : 1
})
