/** Starts every program of `npm start` as an operator by mistake would: without a flag, and without a variable. */
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { packages, root } from '../src/repo.mjs'
import { services } from '../src/services.mjs'
import { useTemporaryFolder } from './temporary.js'

/** Programs that need the operator's settings; all others are only for the sandbox. */
const OPERATED = ['custody', 'relay']

describe('every service is in production unless told --sandbox', () => {
  const data = useTemporaryFolder()
  const start = (entry: string, ...args: string[]) => {
    const env = { PATH: process.env.PATH, KEYBAY_DATA_DIR: data.path }
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, entry), ...args], {
      env,
      timeout: 60_000,
    })
    return { status, output: `${stdout}${stderr}` }
  }

  it.each(services.map(service => [service.name, join(service.folder, service.entry)] as const))(
    '%s does not start without --sandbox and variables, says what to do, and writes nothing',
    (name, entry) => {
      const { status, output } = start(entry)
      expect(status).toBe(1)
      const says = OPERATED.includes(name)
        ? `(?:^|\n)${name} cannot start:\n(?:- \\w+ is not set, so .* Set it to .*\n){5,}$`
        : `(?:^|\n)${name} cannot start: .* On your own machine, start it with --sandbox\\.\n$`
      expect(output).toMatch(new RegExp(says))
      expect(readdirSync(data.path)).toEqual([])
    },
    60_000,
  )

  it.each(['sandbox/api/dist/main.js', 'sandbox/frame/dist/server/main.js'])(
    '%s, which operators run, does not start without variables',
    entry => {
      const { status, output } = start(entry)
      expect(status).toBe(1)
      expect(output).toMatch(/cannot start:\n(?:- \w+ is not set, so .* Set it to .*\n){2,}$/)
      expect(readdirSync(data.path)).toEqual([])
    },
    60_000,
  )

  it('a misspelt flag is an error, not the sandbox', () => {
    const { status, output } = start('sandbox/custody/dist/main.js', '--sandbx')
    expect(status).toBe(1)
    expect(output).toMatch(/^custody: Unknown option '--sandbx'/)
  }, 60_000)

  it('npm start -w of every service passes --sandbox', () => {
    const scripts = packages().flatMap(({ folder, manifest }) =>
      services.some(service => service.folder === folder) ? manifest.scripts?.start : [],
    )
    expect(scripts).toHaveLength(9)
    for (const script of scripts) expect(script).toMatch(/^node dist\/\S+\.js --sandbox$/)
  })
})
