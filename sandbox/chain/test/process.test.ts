import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startProgram } from '@keybay/sandbox-service/testing/program'
import { temporaryFolder } from '@keybay/sandbox-service/testing/temporary-folder'
import { expect, it } from 'vitest'
import { chainForTest } from './support.js'

const MAIN = fileURLToPath(new URL('../dist/main.js', import.meta.url))

it('the chain process reports when it is ready, and keeps its state across SIGTERM and SIGINT', async () => {
  const env = { CHAIN_PORT: '0', CHAIN_DATA_DIR: '', KEYBAY_DATA_DIR: temporaryFolder() }
  const genesis: string[] = []
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    const { child, ended } = startProgram(MAIN, env, ['--sandbox'])
    const [message] = await once(child, 'message')
    expect(message).toEqual({ type: 'ready', name: 'chain', url: expect.stringMatching(/^http:\/\/localhost:\d+$/) })
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getGenesisHash' })
    const response = await fetch(message.url, { method: 'POST', body, headers: { 'content-type': 'application/json' } })
    genesis.push((await response.json()).result)
    child.kill(signal)
    expect(await ended()).toEqual({ code: 0, output: `chain ready ${message.url}\n` })
  }
  expect(genesis[1]).toBe(genesis[0])
})

it('the chain process names the service and the variable when its port is taken', async () => {
  const chain = await chainForTest({ slotMs: 0 })
  const dataDir = join(temporaryFolder(), 'chain')
  const env = { CHAIN_PORT: String(chain.port), CHAIN_DATA_DIR: dataDir }
  expect(await startProgram(MAIN, env, ['--sandbox']).ended()).toEqual({
    code: 1,
    output: `chain cannot start: port ${chain.port} is taken by another program. Set CHAIN_PORT to another port, for example: CHAIN_PORT=${chain.port + 1000}\n`,
  })
  expect((await startProgram(MAIN, { CHAIN_PORT: 'eight' }, ['--sandbox']).ended()).output).toBe(
    'chain: CHAIN_PORT must be a whole number from 0 to 65535, not "eight"\n',
  )
})
