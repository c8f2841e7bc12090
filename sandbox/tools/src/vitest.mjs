/**
 * Runs test projects of the current package: `node <here>/vitest.mjs [vitest arguments]`. Without `--project`, runs the
 * project named after the folder. Writes the result to that package's `.reports/vitest.json`, or to the name given by
 * `--report`; `npm test` and the conformance report read it there.
 */
import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { reporting, stamp } from './reporting.mjs'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const folder = process.cwd()
/** @param {string} argument */
function isReport(argument) {
  return argument.startsWith('--report=')
}

const args = process.argv.slice(2)
const name = args.find(isReport)?.slice('--report='.length) ?? 'vitest'
const report = join(folder, '.reports', `${name}.json`)
// A run that crashes must not leave the result of the previous run.
rmSync(report, { force: true })

const child = spawn(
  process.execPath,
  [
    join(root, 'node_modules/vitest/vitest.mjs'),
    'run',
    `--root=${root}`,
    ...(args.some(argument => argument.startsWith('--project=')) ? [] : [`--project=${basename(folder)}`]),
    '--passWithNoTests',
    ...reporting(report),
    ...args.filter(argument => !isReport(argument)),
  ],
  { stdio: 'inherit', cwd: root },
)
child.on('exit', (code, signal) => {
  process.exitCode = signal ? 1 : (code ?? 1)
  stamp(report, process.exitCode)
})
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill('SIGTERM'))
