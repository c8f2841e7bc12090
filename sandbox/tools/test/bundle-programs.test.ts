import { spawnSync } from 'node:child_process'
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { useTemporaryFolder } from './temporary.js'

const BUNDLE = fileURLToPath(new URL('../src/bundle-programs.mjs', import.meta.url))
const folder = useTemporaryFolder()

function run(...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder.path, encoding: 'utf8' })
  expect(status, stderr).toBe(0)
  return stdout.trim()
}

it('a bundled program runs without its modules, and each of them finds its own files', () => {
  folder.write('package.json', { type: 'module' })
  folder.write('migrations/1.sql', 'create table')
  folder.write(
    'src/db/open.ts',
    `import { readFileSync } from 'node:fs'
    export const read = (): string => readFileSync(new URL('../../migrations/1.sql', import.meta.url), 'utf8')`,
  )
  folder.write('src/server/main.ts', `const { read } = await import('../db/open.js')\nconsole.log(read())`)
  folder.write('src/command.ts', `#!/usr/bin/env node\nimport { read } from './db/open.js'\nconsole.log(read().length)`)
  // What the compiler wrote.
  for (const name of ['server/main', 'command']) folder.write(`dist/${name}.js`, '')
  run(BUNDLE, 'server/main', 'command')
  rmSync(join(folder.path, 'src'), { recursive: true })

  expect(run('dist/server/main.js')).toBe('create table')
  expect(run('dist/command.js')).toBe('12')
  expect(readdirSync(join(folder.path, 'dist'), { recursive: true })).not.toContain('db')
})
