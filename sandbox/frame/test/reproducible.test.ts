/** The same sources give the same bytes, wherever and whenever they are built. */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { temporaryFolder } from '@keybay/sandbox-service/testing/temporary-folder'
import { expect, it } from 'vitest'

const FRAME = fileURLToPath(new URL('..', import.meta.url))
const ROOT = join(FRAME, '../..')

/** Every file below a folder, by its path. */
function readFiles(folder: string): Readonly<Record<string, string>> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  return Object.fromEntries(
    entries
      .filter(entry => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name))
      .map(path => [path.slice(folder.length), readFileSync(path, 'latin1')]),
  )
}

/** Copies the frame's sources to another place, with the same installed packages. */
function copySources(): string {
  const folder = join(temporaryFolder(), 'another place')
  const copy = join(folder, 'sandbox/frame')
  mkdirSync(copy, { recursive: true })
  cpSync(join(ROOT, 'tsconfig.base.json'), join(folder, 'tsconfig.base.json'))
  for (const name of ['node_modules', 'kernel', 'plugins', 'sandbox/service'])
    symlinkSync(join(ROOT, name), join(folder, name))
  for (const name of readdirSync(FRAME))
    if (!['dist', 'test', 'node_modules', '.reports', '.turbo'].includes(name))
      cpSync(join(FRAME, name), join(copy, name), { recursive: true })
  symlinkSync(join(FRAME, 'node_modules'), join(copy, 'node_modules'))
  return copy
}

it('two builds give the same bytes: in another folder, time zone and language, with another name of the user', () => {
  const copy = copySources()
  const env = {
    PATH: process.env.PATH,
    HOME: copy,
    USER: 'another',
    TZ: 'Asia/Kathmandu',
    LANG: 'ar_EG.UTF-8',
    LC_ALL: 'C',
  }
  for (const config of ['vite.config.ts', 'vite.recover.config.ts', 'vite.export.config.ts'])
    execFileSync(process.execPath, [join(ROOT, 'node_modules/vite/bin/vite.js'), 'build', '--config', config], {
      cwd: copy,
      env,
      stdio: 'pipe',
    })
  for (const page of ['client', 'recover', 'turnkey-export']) {
    const [first, second] = [readFiles(join(FRAME, 'dist', page)), readFiles(join(copy, 'dist', page))]
    expect(Object.keys(second).length).toBeGreaterThan(0)
    // Names only: the difference of two minified files fills the screen. A build cache may have left older files.
    expect(Object.keys(second).filter(name => second[name] !== first[name])).toEqual([])
  }
})
