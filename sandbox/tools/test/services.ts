/** Small services for the supervisor's tests. */
import { createServer } from 'node:net'
import type { Service } from '../src/services.mjs'

/** Returns a port that was free a moment ago. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() =>
        typeof address === 'object' && address ? resolve(address.port) : reject(new Error('no port')),
      )
    })
  })
}

export async function service(name: string, more: Partial<Service> = {}): Promise<Service> {
  return {
    name,
    about: `the ${name} one`,
    folder: 'sandbox/tools/test/services',
    entry: `${name}.mjs`,
    variable: `${name.toUpperCase()}_PORT`,
    port: await freePort(),
    host: 'localhost',
    ...more,
  }
}
