import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, it } from 'vitest'
import type { Service } from '../src/services.mjs'
import { service } from './services.js'
import { useTemporaryFolder } from './temporary.js'

const program = fileURLToPath(new URL('services/run-all.mjs', import.meta.url))
const data = useTemporaryFolder()
let child: ChildProcess
let output: string

function run(...services: readonly Service[]): Promise<unknown> {
  child = spawn(process.execPath, [program, JSON.stringify(services), data.path], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  output = ''
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (output += text))
  return said('all ready')
}

function said(text: string): Promise<unknown> {
  return expect.poll(() => output).toContain(text)
}

function isDown(port: number): Promise<unknown> {
  return expect.poll(() => fetch(`http://127.0.0.1:${port}`).catch(() => 'down')).toBe('down')
}

afterEach(() => void child.kill('SIGKILL'))

it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('%s stops all services cleanly, with code 0', async signal => {
  const good = await service('good')
  await run(good)
  child.kill(signal)
  expect(await once(child, 'close')).toEqual([0, null])
  expect(existsSync(join(data.path, 'good', 'stopped'))).toBe(true)
})

it('a second Ctrl-C does not wait for a service that does not stop', async () => {
  await run(await service('stubborn'))
  child.kill('SIGINT')
  await said('again to force')
  child.kill('SIGINT')
  expect(await once(child, 'close')).toEqual([0, null])
})

it('services stop by themselves when their supervisor is killed', async () => {
  const good = await service('good')
  await run(good)
  child.kill('SIGKILL')
  await isDown(good.port)
  await expect.poll(() => existsSync(join(data.path, 'good', 'stopped'))).toBe(true)
})
