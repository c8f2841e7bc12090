/** Describes the start of a service's program on a real PostgreSQL, with the checks that hold for every service. */
import { chmodSync, existsSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '@keybay/sandbox-tools/free-port'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ServiceOptions } from '../src/define-service.js'
import { type Program, startService } from '../src/run.js'
import { type Postgres, startPostgres } from './postgres.js'
import { endProgram, type Program as Process, startProgram, throughPlainProxy } from './program.js'
import { temporaryFolder } from './temporary-folder.js'

type Env = Readonly<Record<string, string>>

/** Makes a program start in the sandbox: its own name in an environment, which becomes an argument. */
export const IN_SANDBOX = { '--sandbox': 'on' }

/** Each test has its own. */
export interface Place {
  readonly databaseUrl: string
  readonly dataDir: string
  readonly port: number
}
type Case = readonly [title: string, env: Env, problem: RegExp]
interface Service<Options extends ServiceOptions> {
  /** e.g. `the API` */
  readonly title: string
  /** Folder of its programs. */
  readonly dist: URL
  /** Program that its `main` runs. */
  readonly program: Program<Options>
  /** All that production needs; secrets as variables. */
  good(place: Place): Env
  /** Settings that production refuses, each with the problem. */
  readonly unsafe: readonly Case[]
  /** Files of generated keys, in the data folder: production writes none. */
  readonly keyFiles: readonly string[]
  /** Settings in the sandbox, where new keys and `/admin` are allowed. */
  readonly here: Env
  /** Texts that no output may contain. */
  readonly secrets: readonly string[]
  /** `on` for a service that demands durable writes; default `off`, which is faster. */
  readonly fsync?: 'on' | 'off'
  prepare?(place: Place): void
}
interface Starts {
  place(): Place
  /** Empty variables count as unset. */
  start(env?: Env, name?: string, args?: readonly string[]): Process
  startAndStop(env?: Env): Promise<void>
  /** Returns the output of a start that fails: of a program, or, without a name, of the main one in this process. */
  refused(env: Env, name?: string): Promise<string>
}

export function describeStartUp<Options extends ServiceOptions>(
  service: Service<Options>,
  tests: (starts: Starts) => void,
): void {
  const { title, dist, program, good, here, secrets, fsync, prepare } = service
  vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })
  // Each reading of the variables makes a log, which writes its rest when the process ends.
  process.setMaxListeners(200)
  describe(title, () => {
    let database: Postgres
    let place: Place
    let count = 0
    beforeAll(async () => {
      database = await startPostgres({ fsync })
    })
    beforeEach(async () => {
      const databaseUrl = database.create(`start_up_${++count}`)
      place = { databaseUrl, dataDir: temporaryFolder(), port: await freePort() }
      prepare?.(place)
    })
    afterAll(() => database?.stop())

    const start: Starts['start'] = ({ '--sandbox': sandbox, ...env } = {}, name = 'main', args = []) =>
      startProgram(fileURLToPath(new URL(`${name}.js`, dist)), { ...good(place), ...env }, [
        ...args,
        ...(sandbox ? ['--sandbox'] : []),
      ])
    const startReady = async (env: Env) => {
      const started = start(env)
      await started.ready()
      return started
    }
    const startAndStop: Starts['startAndStop'] = async env => endProgram(await startReady(env ?? {}))
    const refusedProgram = async (env: Env, name: string) => {
      const { code, output } = await start(env, name).ended()
      expect(code).toBe(1)
      return output
    }
    const silent: Program<Options> = {
      ...program,
      start: (options, env) => program.start({ ...options, log: () => undefined }, env),
    }
    const refusedHere = ({ '--sandbox': sandbox, ...env }: Env) =>
      startService(silent, { mode: sandbox ? 'sandbox' : 'production', env: { ...good(place), ...env } }).then(
        service => service.stop().then(() => 'It started.'),
        (error: unknown) => (error instanceof Error ? error.message : String(error)),
      )
    const refused: Starts['refused'] = async (env, name) => {
      const output = await (name === undefined ? refusedHere(env) : refusedProgram(env, name))
      for (const secret of secrets) expect(output).not.toContain(secret)
      return output
    }
    const starts: Starts = { place: () => place, start, startAndStop, refused }

    it(`${title} starts in production with its own settings, without /admin/clock behind a plain proxy_pass`, async () => {
      await start().ready()
      for (const method of ['GET', 'POST', 'DELETE'])
        expect((await throughPlainProxy(place.port, '/admin/clock', method)).status).toBe(404)
      expect((await fetch(`http://127.0.0.1:${place.port}/health`)).status).toBe(200)
    })
    describeSettings(service, starts)
    it(`${title} does not start with --sandbox under a public name`, async () => {
      expect(await refused({ '--sandbox': 'on' }, 'main')).toMatch(
        /--sandbox is for this machine only, and https:\/\/\S+ is a public/,
      )
    })
    it(`${title} in the sandbox serves /admin/clock to direct requests only, not through a proxy`, async () => {
      await start(here).ready()
      expect((await throughPlainProxy(place.port, '/admin/clock')).status).toBe(200)
      // Node's fetch does not send another Host.
      const ask = (headers: Record<string, string>) =>
        new Promise<number | undefined>((resolve, reject) => {
          const asked = { host: '127.0.0.1', port: place.port, path: '/admin/clock', headers }
          get(asked, answer => resolve(answer.resume().statusCode)).on('error', reject)
        })
      for (const name of [
        'Via',
        'Forwarded',
        'X-Real-IP',
        'X-Forwarded-For',
        'X-Forwarded-Proto',
        'X-Forwarded-Anything',
      ])
        for (const value of ['x', '127.0.0.1', '']) expect(await ask({ [name]: value }), `${name}: ${value}`).toBe(403)
      for (const host of ['keybay.example', 'localhost.keybay.example', '10.0.0.1', '127.0.0.1.nip.io'])
        expect(await ask({ host }), `Host: ${host}`).toBe(403)
      for (const origin of ['https://keybay.example', 'null'])
        expect(await ask({ origin }), `Origin: ${origin}`).toBe(403)
      expect(await ask({ host: `localhost:${place.port}` })).toBe(200)
    })
    tests(starts)
  })
}

/** Unsafe for every service. */
const COMMON: readonly Case[] = [
  ['unchecked certificates', { NODE_TLS_REJECT_UNAUTHORIZED: '0' }, /NODE_TLS_REJECT_UNAUTHORIZED is 0, so anyone/],
]

/** Starts the service with each wrong setting in this process, and its program with all of them at once. */
function describeSettings<Options extends ServiceOptions>(
  service: Service<Options>,
  { place, start, startAndStop, refused }: Starts,
): void {
  const { title, program, good, keyFiles, here } = service
  const unsafe = [...service.unsafe, ...COMMON]
  const { settings } = program
  const needed = Object.keys(settings).filter(name => name in good({ databaseUrl: '', dataDir: '', port: 0 }))
  const isListed = (name: string) => new RegExp(`^(?:- |\\w+ cannot start: )${name} is not set.*Set it to`, 'm')
  it(`${title} does not start in production without any one of its settings, and says so in one sentence`, async () => {
    for (const name of needed)
      for (const blank of ['', ' ,\n']) {
        const output = await refused({ [name]: blank })
        expect(output, name).toMatch(isListed(name))
        expect(output, name).not.toMatch(/\n- /)
      }
  })
  it(`${title} names every missing setting of production in one message, and starts with them in the sandbox`, async () => {
    // The file of environments decides which others are needed.
    const others = needed.filter(name => !name.endsWith('_ENVIRONMENTS_FILE'))
    const output = await refused(Object.fromEntries(others.map(name => [name, ''])), 'main')
    for (const name of others) expect(output).toMatch(isListed(name))
    const least = needed.filter(name => settings[name]?.isNeeded === undefined)
    const bare = await refused(Object.fromEntries(needed.map(name => [name, ''])))
    for (const name of least) expect(bare).toMatch(isListed(name))
    await start(here).ready()
  })
  it(`${title} does not start in production with any one unsafe setting, and writes no key`, async () => {
    for (const [what, env, problem] of unsafe) {
      const output = await refused(env)
      expect(output, what).toMatch(problem)
      expect(output, what).not.toMatch(/\n- /)
      for (const file of keyFiles) expect(existsSync(join(place().dataDir, file)), `${file}: ${what}`).toBe(false)
    }
  })
  it(`${title} names every unsafe setting in one message`, async () => {
    // A variable has one value, so of its cases the first.
    const isFirst = ([, env]: Case, index: number) =>
      Object.keys(env).every(name => unsafe.findIndex(([, other]) => name in other) === index)
    const cases = unsafe.filter(isFirst)
    const output = await refused(Object.assign({}, ...cases.map(([, env]) => env)), 'main')
    for (const [, , problem] of cases) expect(output).toMatch(problem)
    // The refused start left no trace: the right settings start.
    await start().ready()
  })
  it(`${title} starts with line feeds and spaces around its settings`, async () => {
    const padded = Object.entries(good(place())).map(([name, text]) => [name, ` ${text}\n`])
    expect(await refused(Object.fromEntries(padded))).toBe('It started.')
  })
  it(`${title} reads its secrets from files, and refuses a file that is missing, empty, one of two sources or open to anyone`, async () => {
    const secretNames = needed.filter(name => settings[name]?.isSecret)
    const values = good(place())
    const files = Object.fromEntries(
      secretNames.map(name => {
        const file = join(place().dataDir, name)
        writeFileSync(file, `${values[name]}\n`, { mode: 0o600 })
        return [`${name}_FILE`, file]
      }),
    )
    const unset = Object.fromEntries(secretNames.map(name => [name, '']))
    await startAndStop({ ...unset, ...files })
    const [first = '', second = '', third = '', fourth = ''] = secretNames
    const empty = join(place().dataDir, 'empty')
    writeFileSync(empty, '\n', { mode: 0o600 })
    const open = join(place().dataDir, 'open')
    writeFileSync(open, values[fourth] ?? '')
    chmodSync(open, 0o666)
    const output = await refused({
      [first]: '',
      [`${first}_FILE`]: '/nowhere',
      [second]: '',
      [`${second}_FILE`]: empty,
      [`${third}_FILE`]: files[`${third}_FILE`] ?? '',
      [fourth]: '',
      [`${fourth}_FILE`]: open,
    })
    expect(output).toMatch(new RegExp(`- ${first}_FILE: the file cannot be read`))
    expect(output).toMatch(new RegExp(`- ${second}_FILE: .* is empty`))
    expect(output).toMatch(new RegExp(`- ${third} and ${third}_FILE are both set`))
    expect(output).toMatch(new RegExp(`- ${fourth}_FILE: .* can be replaced by anyone on this machine`))
  })
}
