import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { writeVersions } from '../src/changeset.mjs'

it('writes the version of each package to its src/version.ts, and changes nothing else', () => {
  const base = mkdtempSync(join(tmpdir(), 'keybay-'))
  const write = (file: string, text: string): void => {
    mkdirSync(dirname(join(base, file)), { recursive: true })
    writeFileSync(join(base, file), text)
  }
  write('package.json', '{"workspaces":["kernel","plugins/*"]}')
  write('kernel/package.json', '{"name":"@keybay/kernel","version":"2.3.4"}')
  write('kernel/src/version.ts', "/** '0.1.0' was first. */\nexport const VERSION: string = '0.1.0'\n")
  write('plugins/acme/package.json', '{"name":"@keybay/acme","version":"2.3.5-next.1"}')
  write('plugins/acme/src/version.ts', "export const VERSION = '0.1.0'\n")
  write('plugins/other/package.json', '{"name":"@keybay/other","version":"2.3.4"}')
  writeVersions(base)
  expect(readFileSync(join(base, 'kernel/src/version.ts'), 'utf8')).toBe(
    "/** '0.1.0' was first. */\nexport const VERSION: string = '2.3.4'\n",
  )
  expect(readFileSync(join(base, 'plugins/acme/src/version.ts'), 'utf8')).toBe(
    "export const VERSION = '2.3.5-next.1'\n",
  )
  rmSync(base, { recursive: true })
})
