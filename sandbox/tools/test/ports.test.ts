import { createServer, type Server } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { freePort } from '../src/free-port.mjs'
import { checkPorts, getPort } from '../src/ports.mjs'
import { service } from './services.js'

let server: Server | undefined
afterEach(() => new Promise(resolve => (server ? server.close(resolve) : resolve(undefined))))

function listen(port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server = createServer().once('error', reject).listen(port, host, resolve)
  })
}

it('reads a service’s port from its variable, and says so when the value is not a port', async () => {
  const good = await service('good')
  expect(getPort(good, {})).toBe(good.port)
  expect(getPort(good, { GOOD_PORT: '8123' })).toBe(8123)
  for (const wrong of ['0', '65536', '80.5', 'http', '-1'])
    expect(() => getPort(good, { GOOD_PORT: wrong })).toThrow(`GOOD_PORT is “${wrong}”: set it to a port number`)
})

it.each(['127.0.0.1', '0.0.0.0', '::'])(
  'names the service and the variable when its port is taken on %s',
  async host => {
    const good = await service('good')
    await expect(checkPorts([good], {})).resolves.toBeUndefined()
    await listen(good.port, host)
    await expect(checkPorts([good], {})).rejects.toThrow(
      `good cannot start: port ${good.port} is taken by another program. Set GOOD_PORT to another port`,
    )
  },
)

it('checks every port that a service uses', async () => {
  const port = await freePort()
  await listen(port, '127.0.0.1')
  const chain = await service('chain', { port: port - 1, morePorts: [{ name: 'websocket', offset: 1 }] })
  await expect(checkPorts([chain], {})).rejects.toThrow(
    `chain (websocket) cannot start: port ${port} is taken by another program. Set CHAIN_PORT to another port, for example: CHAIN_PORT=${port + 999} npm start`,
  )
  await expect(checkPorts([chain], { CHAIN_PORT: '65535' })).rejects.toThrow(
    'chain (websocket) would be on port 65536, which does not exist: set CHAIN_PORT to a lower one.',
  )
})

it('asks whether the sandbox is already running when all ports are taken', async () => {
  const both = [await service('one'), await service('two')]
  for (const { port } of both) await listen(port, '127.0.0.1')
  await expect(checkPorts(both, {})).rejects.toThrow('does the sandbox run already?')
})

it('refuses two services on the same port', async () => {
  const one = await service('one')
  const two = await service('two')
  await expect(checkPorts([one, two], { TWO_PORT: String(one.port) })).rejects.toThrow(
    `two and one both want port ${one.port}. Set TWO_PORT`,
  )
})
