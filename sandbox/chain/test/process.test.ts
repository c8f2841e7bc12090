import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { chainForTest, folderForTest } from './support.js'

const MAIN = fileURLToPath(new URL('../dist/main.js', import.meta.url))

function run(env: Record<string, string>, ipc = false): { child: ChildProcess; output: () => string } {
  const child = spawn(process.execPath, [MAIN], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe', ...(ipc ? (['ipc'] as const) : [])],
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', part => (text += part))
  onTestFinished(() => void child.kill('SIGKILL'))
  return { child, output: () => text }
}

it('the chain process reports when it is ready, and keeps its state across SIGTERM and SIGINT', async () => {
  const env = { CHAIN_PORT: '0', CHAIN_DATA_DIR: '', KEYBAY_DATA_DIR: await folderForTest() }
  const genesis: string[] = []
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    const { child, output } = run(env, true)
    const [message] = await once(child, 'message')
    expect(message).toEqual({ type: 'ready', name: 'chain', url: expect.stringMatching(/^http:\/\/localhost:\d+$/) })
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getGenesisHash' })
    const response = await fetch(message.url, { method: 'POST', body, headers: { 'content-type': 'application/json' } })
    genesis.push((await response.json()).result)
    child.kill(signal)
    const [code] = await once(child, 'close')
    expect(code).toBe(0)
    expect(output()).toBe(`chain ready ${message.url}\n`)
  }
  expect(genesis[1]).toBe(genesis[0])
})

it('the chain process names the service and the variable when its port is taken', async () => {
  const chain = await chainForTest({ slotMs: 0 })
  const dataDir = join(await folderForTest(), 'chain')
  const { child, output } = run({ CHAIN_PORT: String(chain.port), CHAIN_DATA_DIR: dataDir })
  const [code] = await once(child, 'close')
  expect(code).toBe(1)
  expect(output()).toBe(
    `chain cannot start: port ${chain.port} is taken by another program. Set CHAIN_PORT to another port, for example: CHAIN_PORT=${chain.port + 1000}\n`,
  )
  const wrong = run({ CHAIN_PORT: 'eight' })
  await once(wrong.child, 'close')
  expect(wrong.output()).toBe('chain: CHAIN_PORT must be a whole number from 0 to 65535, not "eight"\n')
})
