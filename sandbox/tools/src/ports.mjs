/** Determines the port of each service, and whether the port is free. */
import { createServer } from 'node:net'
import { Advice } from './command.mjs'

/** @typedef {import('./services.mjs').Service} Service */

/**
 * @param {Service} service
 * @param {NodeJS.ProcessEnv} env
 * @returns {number}
 * @throws {Advice} if the variable is not a port number
 */
export function getPort(service, env) {
  const text = env[service.variable]
  if (text === undefined || text === '') return service.port
  const port = Number(text)
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port
  throw new Advice(`${service.variable} is “${text}”: set it to a port number from 1 to 65535, or unset it.`)
}

/** @param {number} port @param {string} host @returns {Promise<string | undefined>} the system's error code */
function tryListen(port, host) {
  return new Promise(resolve => {
    const server = createServer()
    server.once('error', error => resolve('code' in error ? String(error.code) : error.message))
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(undefined)))
  })
}

/**
 * @param {readonly Service[]} services
 * @param {NodeJS.ProcessEnv} env
 * @throws {Advice} that lists every service whose port is taken, and the service's variable
 */
export async function checkPorts(services, env) {
  /** @type {Map<number, string>} */
  const owners = new Map()
  /** @type {string[]} */
  const problems = []
  let taken = 0
  for (const service of services) {
    const port = getPort(service, env)
    const ports = [{ label: service.name, port }]
    for (const more of service.morePorts ?? [])
      ports.push({ label: `${service.name} (${more.name})`, port: port + more.offset })
    const move = `Set ${service.variable} to another port, for example: ${service.variable}=${port + 1000} npm start`
    for (const { label, port } of ports) {
      const owner = owners.get(port)
      if (owner) problems.push(`${label} and ${owner} both want port ${port}. ${move}`)
      owners.set(port, label)
      if (port > 65_535) {
        problems.push(
          `${label} would be on port ${port}, which does not exist: set ${service.variable} to a lower one.`,
        )
        continue
      }
      // A program that listens on one IP family is detected only through that family; a system without IPv6 is fine.
      const codes = [await tryListen(port, '127.0.0.1'), await tryListen(port, '::')]
      if (codes.includes('EADDRINUSE')) {
        taken += 1
        problems.push(`${label} cannot start: port ${port} is taken by another program. ${move}`)
      }
      if (codes[0] === 'EACCES')
        problems.push(`${label} cannot start: this user may not listen on port ${port}. ${move}`)
    }
  }
  if (taken > 1 && taken === owners.size) problems.push('All of them are taken: does the sandbox run already?')
  if (problems.length > 0) throw new Advice(problems.join('\n'))
}
