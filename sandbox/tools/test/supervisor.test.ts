import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Service } from '../src/services.mjs'
import { type Options, type Supervisor, supervise } from '../src/supervisor.mjs'
import { service } from './services.js'
import { useTemporaryFolder } from './temporary.js'

const data = useTemporaryFolder()
let said: string[]
let supervisor: Supervisor | undefined

function start(services: readonly Service[], options: Partial<Options> = {}): Supervisor {
  supervisor = supervise({ services, dataDir: data.path, env: process.env, say: line => said.push(line), ...options })
  return supervisor
}
beforeEach(() => {
  said = []
})
afterEach(async () => {
  supervisor?.kill()
  await supervisor?.done
})

it('starts services, gives each service the addresses of the others, and stops them cleanly with code 0', async () => {
  const good = await service('good')
  const neighbour = await service('silent', {
    name: 'neighbour',
    variable: 'SILENT_PORT',
    poll: '/',
    host: 'app.localhost',
  })
  const { ready, stop, done } = start([good, neighbour])
  expect(await ready).toBe(true)
  const receivedEnv: unknown = await (await fetch(`http://127.0.0.1:${good.port}`)).json()
  expect(receivedEnv).toEqual({
    NEIGHBOUR_URL: `http://app.localhost:${neighbour.port}`,
    GOOD_URL: `http://localhost:${good.port}`,
    GOOD_INTERNAL_URL: `http://127.0.0.1:${good.port}`,
  })
  stop()
  expect(await done).toBe(0)
  expect(readFileSync(join(data.path, 'good', 'stopped'), 'utf8')).toBe('cleanly')
  await expect(fetch(`http://127.0.0.1:${good.port}`)).rejects.toThrow()
})

it('stops the processes that a service started', async () => {
  const silent = await service('silent', { poll: '/' })
  const { ready, stop, done } = start([silent])
  expect(await ready).toBe(true)
  expect(await (await fetch(`http://127.0.0.1:${silent.port}`)).text()).toBe('up')
  stop()
  expect(await done).toBe(0)
  await expect(fetch(`http://127.0.0.1:${silent.port}`)).rejects.toThrow()
})

it('reports a crashed service with its last output, stops the others, and ends with code 1', async () => {
  const dying = await service('dying')
  const { ready, done } = start([await service('good'), dying])
  expect(await ready).toBe(true)
  await fetch(`http://127.0.0.1:${dying.port}`).catch(() => undefined)
  expect(await done).toBe(1)
  expect(said.join('\n')).toMatch(
    /dying ended unexpectedly \(exit code 3\)[\s\S]*the disk is full[\s\S]*Stopping everything/,
  )
  expect(existsSync(join(data.path, 'good', 'stopped'))).toBe(true)
})

it('reports a service whose program cannot be loaded', async () => {
  const { ready, done } = start([await service('absent'), await service('good')])
  expect(await ready).toBe(false)
  expect(await done).toBe(1)
  expect(said.join('\n')).toMatch(/absent ended unexpectedly[\s\S]*Cannot find module/)
})

it('gives up on a service that is never ready, and names the service', async () => {
  const { ready, done } = start([await service('good'), await service('mute')], { patience: 1_500 })
  expect(await ready).toBe(false)
  expect(await done).toBe(1)
  expect(said.join('\n')).toContain('mute was not ready within 1.5 s')
})

it('kills a service that does not stop on request', async () => {
  const { ready, stop, done } = start([await service('stubborn')], { grace: 300 })
  expect(await ready).toBe(true)
  stop()
  expect(await done).toBe(0)
  expect(said).toContain('Some services did not stop by themselves: killing them.')
})

it('prints each refused origin once, with the command that allows it', async () => {
  const refusing = await service('refusing')
  const env = { ...process.env, APP_ORIGINS: 'http://localhost:3000' }
  const { ready, stop, done } = start([refusing], { env })
  expect(await ready).toBe(true)
  stop()
  expect(await done).toBe(0)
  expect(said.filter(line => line.includes('refused a page'))).toEqual([
    expect.stringContaining('refusing refused a page of http://localhost:5173'),
    expect.stringContaining('refusing refused a page of https://phone.example:8443'),
  ])
  expect(said.join('\n')).toContain('APP_ORIGINS=http://localhost:3000,http://localhost:5173 npm start')
})
