/**
 * `npm run simulate -- --worlds 1000 --seed 1`: runs simulated worlds of relays, frames and a delegate from a seed on.
 * Ends with `N worlds, 0 violations`, or with the seed and the shortened steps of the first world that breaks an
 * invariant.
 */
import { parseArgs } from 'node:util'
import { build } from './build.mjs'
import { Advice, command } from './command.mjs'
import { ensureInstalled } from './install.mjs'
import { root } from './repo.mjs'

const USAGE = 'Usage: npm run simulate -- --worlds <number> [--seed <first seed>]'

function readNumbers() {
  const text = /** @type {const} */ ({ type: 'string' })
  const { worlds = '100', seed = '1' } = parseArgs({ options: { worlds: text, seed: text } }).values
  if (![worlds, seed].every(value => /^\d{1,9}$/.test(value))) throw new Advice(USAGE)
  return { worlds, seed }
}

command(async () => {
  const { worlds, seed } = readNumbers()
  await ensureInstalled()
  await build()
  Object.assign(process.env, { KEYBAY_SOAK: '1', KEYBAY_WORLDS: worlds, KEYBAY_SEED: seed })
  // Imported late: the rules of the workspace read the variables above.
  const { startVitest } = await import('vitest/node')
  let report = 'The simulation did not run.'
  const reporters = [
    {
      /** @param {import('vitest/node').TestCase} test */
      onTestCaseResult(test) {
        const { errors = [] } = test.result()
        report = test.meta().simulation ?? errors.map(({ stack, message }) => stack ?? message).join('\n')
      },
    },
  ]
  const options = { root, project: ['frame-units'], watch: false, reporters }
  const vitest = await startVitest('test', ['test/simulate/soak-worlds'], options)
  await vitest.close()
  console.info(report)
  return report.endsWith(' 0 violations') ? 0 : 1
})
