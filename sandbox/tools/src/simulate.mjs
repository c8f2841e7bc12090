/**
 * `npm run simulate -- --worlds 1000 --seed 1`: runs simulated worlds of relays, frames and a delegate from a seed on.
 * `--minutes 60` runs worlds for this time, and those of the model of the lifecycle too. Ends with `N worlds, 0
 * violations`, or with the shortened steps and the seed of the first world that breaks an invariant.
 */
import { parseArgs } from 'node:util'
import { build } from './build.mjs'
import { Advice, command } from './command.mjs'
import { ensureInstalled } from './install.mjs'
import { root } from './repo.mjs'

const USAGE = 'Usage: npm run simulate -- [--worlds <number> | --minutes <number>] [--seed <first seed>]'

function readNumbers() {
  const text = /** @type {const} */ ({ type: 'string' })
  const { values } = parseArgs({ options: { worlds: text, minutes: text, seed: text } })
  const { worlds = '100', minutes, seed = '1' } = values
  if (![worlds, minutes ?? '1', seed].every(value => /^\d{1,9}$/.test(value))) throw new Advice(USAGE)
  return { worlds, minutes, seed }
}

command(async () => {
  const { worlds, minutes, seed } = readNumbers()
  await ensureInstalled()
  await build()
  Object.assign(process.env, { KEYBAY_SOAK: '1', KEYBAY_WORLDS: worlds, KEYBAY_SEED: seed })
  if (minutes) process.env.KEYBAY_MINUTES = minutes
  // Imported late: the rules of the workspace read the variables above.
  const { startVitest } = await import('vitest/node')
  let total = 0
  /** @type {string[]} */
  const finds = []
  const reporters = [
    {
      /** @param {import('vitest/node').TestCase} test */
      onTestCaseResult(test) {
        const { errors = [] } = test.result()
        const { worlds = 0, find = errors.map(({ stack, message }) => stack ?? message).join('\n') } =
          test.meta().simulation ?? {}
        total += worlds
        if (find) finds.push(find)
        console.info(`${test.name}: ${worlds} worlds`)
      },
    },
  ]
  const options = { root, project: ['frame-units', 'waas'], watch: false, fileParallelism: false, reporters }
  const vitest = await startVitest('test', ['soak-worlds', ...(minutes ? ['soak-search'] : [])], options)
  await vitest.close()
  console.info(finds.join('\n') || (total > 0 ? `${total} worlds, 0 violations` : 'The simulation did not run.'))
  return total > 0 && finds.length === 0 ? 0 : 1
})
