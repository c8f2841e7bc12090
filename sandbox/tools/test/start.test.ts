/** Runs `npm start` with the real services, on free ports. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { freePort } from '../src/free-port.mjs'
import { root } from '../src/repo.mjs'
import { services } from '../src/services.mjs'

let dataDir: string
let env: NodeJS.ProcessEnv
let child: ChildProcess | undefined
let output: string

function start(...args: string[]): ChildProcess {
  return run(process.execPath, 'sandbox/tools/src/start.mjs', ...args)
}

function run(program: string, ...args: string[]): ChildProcess {
  output = ''
  child = spawn(program, args, { cwd: root, env })
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', text => (output += text))
  return child
}

async function ready(): Promise<void> {
  const started = child
  await expect.poll(() => /Ready in \d/.test(output) || started?.exitCode !== null, { timeout: 120_000 }).toBe(true)
  expect(output).toMatch(/Ready in \d/)
}

async function stop(): Promise<unknown> {
  child?.kill('SIGINT')
  return child && once(child, 'close')
}

// The first start of a fresh clone builds everything.
vi.setConfig({ testTimeout: 240_000 })

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'keybay-'))
  const ports = await Promise.all(
    services.map(async ({ variable }) => [
      variable, // The chain's websocket is one port higher.
      String(await freePort(2)),
    ]),
  )
  env = { ...process.env, KEYBAY_DATA_DIR: dataDir, ...Object.fromEntries(ports) }
})
afterEach(async () => {
  if (child?.exitCode === null && child.signalCode === null) await stop()
  rmSync(dataDir, { recursive: true, force: true })
})

function isDown(): Promise<unknown> {
  const get = () => fetch(`http://127.0.0.1:${env.APP_PORT}`).catch(() => 'down')
  return expect.poll(get).toBe('down')
}

// One test, because each start takes seconds.
it('npm start boots every service, keeps data until --fresh, and stops on Ctrl-C and when npm is killed', async () => {
  const ours = join(dataDir, 'chain', 'mark')
  const foreign = join(dataDir, 'not-ours')
  mkdirSync(join(dataDir, 'chain'))
  writeFileSync(ours, '')
  writeFileSync(foreign, '')
  const killed = run('npm', 'start')
  await ready()
  for (const { name, host, variable } of services) {
    expect(output).toMatch(new RegExp(`${name} ready in \\d+ ms`))
    expect(output).toContain(`http://${host}:${env[variable]}`)
    const { status } = await fetch(`http://127.0.0.1:${env[variable]}`)
    expect(status).toBeLessThan(500)
  }
  expect(existsSync(ours)).toBe(true)
  killed.kill('SIGKILL')
  await isDown()

  start('--fresh')
  await ready()
  expect(existsSync(ours)).toBe(false)
  expect(existsSync(foreign)).toBe(true)
  expect(await stop()).toEqual([0, null])
  for (const { variable } of services) await expect(fetch(`http://127.0.0.1:${env[variable]}`)).rejects.toThrow()
})

it('npm start names the service and the variable when a port is taken, and starts nothing', async () => {
  const server = createServer().listen(Number(env.APP_PORT), '127.0.0.1')
  await once(server, 'listening')
  const [code] = await once(start(), 'close')
  server.close()
  expect(code).toBe(1)
  expect(output).toContain(`app cannot start: port ${env.APP_PORT} is taken by another program. Set APP_PORT`)
  expect(readdirSync(dataDir)).toEqual([])
})

it('npm start prints its usage when an option is unknown', async () => {
  const [code] = await once(start('--frsh'), 'close')
  expect(code).toBe(1)
  expect(output).toContain('Usage: npm start -- [--fresh] [--verbose]')
})
