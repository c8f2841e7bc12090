/** Describes the start of a service's program on a real PostgreSQL, with the checks that hold for every service. */
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { freePort } from '../src/free-port.js'
import { findPostgres, type Postgres, startPostgres } from './postgres.js'
import { endProgram, type Program, startProgram, throughPlainProxy } from './program.js'
import { temporaryFolder } from './temporary-folder.js'

type Env = Readonly<Record<string, string>>

/** Each test has its own. */
export interface Place {
  readonly databaseUrl: string
  readonly dataDir: string
  readonly port: number
}
interface Service {
  /** e.g. `the API` */
  readonly title: string
  /** Folder of its programs. */
  readonly dist: URL
  /** Programs, with what they need to start under a public name. */
  readonly programs?: readonly (readonly [name: string, env: Env])[]
  /** Settings of a service under a public name. */
  good(place: Place): Env
  /** Settings of a service on this machine, where new keys, stand-ins and `/admin` are allowed. */
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
  start(env?: Env, name?: string, args?: readonly string[]): Program
  startAndStop(env?: Env): Promise<void>
  /** Returns the output of a start that fails. */
  refused(env: Env, name?: string): Promise<string>
}

export function describeStartUp(service: Service, tests: (starts: Starts) => void): void {
  const { title, dist, programs = [['main', {}]], good, here, secrets, fsync, prepare } = service
  vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })
  const installation = findPostgres()
  if ('missing' in installation) console.warn(`The start of ${title} is not tested here: ${installation.missing}.`)
  describe.skipIf('missing' in installation)(title, () => {
    let database: Postgres
    let place: Place
    let count = 0
    beforeAll(async () => {
      database = await startPostgres('bin' in installation ? installation.bin : '', fsync)
    })
    beforeEach(async () => {
      const databaseUrl = database.create(`start_up_${++count}`)
      place = { databaseUrl, dataDir: temporaryFolder(), port: await freePort() }
      prepare?.(place)
    })
    afterAll(() => database?.stop())

    const start: Starts['start'] = (env, name = 'main', args = []) =>
      startProgram(fileURLToPath(new URL(`${name}.js`, dist)), { ...good(place), ...env }, args)
    const startAndStop: Starts['startAndStop'] = async env => {
      const program = start(env)
      await program.ready()
      await endProgram(program)
    }
    const refused: Starts['refused'] = async (env, name) => {
      const { code, output } = await start(env, name).ended()
      expect(code).toBe(1)
      for (const secret of secrets) expect(output).not.toContain(secret)
      return output
    }

    it(`${title} starts under a public name with its own settings, without /admin/clock behind a plain proxy_pass`, async () => {
      for (const [name, env] of programs) {
        const program = start(env, name)
        await program.ready()
        for (const method of ['GET', 'POST', 'DELETE'])
          expect((await throughPlainProxy(place.port, '/admin/clock', method)).status).toBe(404)
        expect((await fetch(`http://127.0.0.1:${place.port}/health`)).status).toBe(200)
        await endProgram(program)
      }
    })
    it(`${title} serves /admin/clock on this machine to direct requests only, not through a proxy`, async () => {
      await start(here).ready()
      expect((await throughPlainProxy(place.port, '/admin/clock')).status).toBe(200)
      for (const name of ['Via', 'Forwarded', 'X-Real-IP', 'X-Forwarded-Proto', 'X-Forwarded-Anything']) {
        const headers = { [name]: 'x' }
        expect((await fetch(`http://127.0.0.1:${place.port}/admin/clock`, { headers })).status, name).toBe(403)
      }
    })
    tests({ place: () => place, start, startAndStop, refused })
  })
}
