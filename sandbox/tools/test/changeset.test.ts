import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { writeVersions } from '../src/changeset.mjs'
import { useTemporaryFolder } from './temporary.js'

const base = useTemporaryFolder()

it('writes the version of each package to its src/version.ts, and changes nothing else', () => {
  const { path, write } = base
  write('package.json', '{"workspaces":["kernel","plugins/*"]}')
  write('kernel/package.json', '{"name":"@keybay/kernel","version":"2.3.4"}')
  write('kernel/src/version.ts', "/** '0.1.0' was first. */\nexport const VERSION: string = '0.1.0'\n")
  write('plugins/acme/package.json', '{"name":"@keybay/acme","version":"2.3.5-next.1"}')
  write('plugins/acme/src/version.ts', "export const VERSION = '0.1.0'\n")
  write('plugins/other/package.json', '{"name":"@keybay/other","version":"2.3.4"}')
  writeVersions(path)
  expect(readFileSync(join(path, 'kernel/src/version.ts'), 'utf8')).toBe(
    "/** '0.1.0' was first. */\nexport const VERSION: string = '2.3.4'\n",
  )
  expect(readFileSync(join(path, 'plugins/acme/src/version.ts'), 'utf8')).toBe(
    "export const VERSION = '2.3.5-next.1'\n",
  )
})
