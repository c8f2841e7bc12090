/**
 * Runs the test project of the package it is called in: `node <here>/vitest.mjs [vitest arguments]`.
 * The result goes to `.reports/vitest.json` of that package, where `npm test` and the conformance report read it.
 */
import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { reporting } from './reporting.mjs'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const folder = process.cwd()
const report = join(folder, '.reports', 'vitest.json')
// A run that crashes must not leave the result of the run before it.
rmSync(report, { force: true })

const child = spawn(
  process.execPath,
  [
    join(root, 'node_modules/vitest/vitest.mjs'),
    'run',
    `--root=${root}`,
    `--project=${basename(folder)}`,
    '--passWithNoTests',
    ...reporting(report),
    ...process.argv.slice(2),
  ],
  { stdio: 'inherit', cwd: root },
)
child.on('exit', (code, signal) => {
  process.exitCode = signal ? 1 : (code ?? 1)
})
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill('SIGTERM'))
