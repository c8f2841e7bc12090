/** Small services for the supervisor's tests. */
import { freePort } from '../src/free-port.mjs'
import type { Service } from '../src/services.mjs'

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
