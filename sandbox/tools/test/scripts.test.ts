/** Tests the npm that turbo uses to run the scripts of packages. */
import { delimiter } from 'node:path'
import { expect, it } from 'vitest'
import { SCRIPTS } from '../src/build.mjs'
import { run } from '../src/command.mjs'
import { useTemporaryFolder } from './temporary.js'

const folder = useTemporaryFolder()
const PATH = [SCRIPTS, process.env.PATH].join(delimiter)

function runScript(script: string, ...args: readonly string[]) {
  folder.write('package.json', { scripts: { build: script } })
  return run('npm', ['run', 'build', ...args], { cwd: folder.path, env: { ...process.env, PATH }, show: false })
}

it('runs a script in the folder of its package, with the programs of the package and of the repository', async () => {
  folder.write('node_modules/.bin/own', '#!/bin/sh\necho "own program in $PWD"')
  const { code, stdout } = await runScript('chmod +x node_modules/.bin/own && own && tsc --version')
  expect([code, stdout]).toEqual([0, expect.stringMatching(`^own program in ${folder.path}\nVersion `)])
})

it('ends with the code of the script', async () => {
  expect(await runScript('true && exit 7')).toMatchObject({ code: 7 })
})

it('hands arguments to the script as they are', async () => {
  const { stdout } = await runScript(`printf '[%s]'`, '--', 'a b', '$HOME')
  expect(stdout).toBe('[a b][$HOME]')
})

it('lets a script find the real npm', async () => {
  const { code, stdout } = await runScript('npm --version')
  expect([code, stdout.trim()]).toEqual([0, expect.stringMatching(/^\d+\.\d+\.\d+$/)])
})
