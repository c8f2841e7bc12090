/** Runs services together, all or none. If one exits, stops the others and shows its last output. */
import { getPort } from './ports.mjs'
import { createOriginReporter } from './refused-origins.mjs'
import { root as repository } from './repo.mjs'
import { addressOf, startService } from './service-process.mjs'

/**
 * @typedef {import('./services.mjs').Service} Service
 * @typedef {import('./service-process.mjs').Running} Running
 *
 * @typedef {object} Options
 * @property {readonly Service[]} services
 * @property {string} dataDir Shared; each service uses the folder of its name in it.
 * @property {NodeJS.ProcessEnv} env
 * @property {string} [root]
 * @property {boolean} [verbose] Show what the services print.
 * @property {number} [patience] ms until a service must be ready; 60,000 by default
 * @property {number} [grace] ms between asking a service to stop and killing it; 8,000 by default
 * @property {(line: string) => void} say
 *
 * @typedef {object} Supervisor
 * @property {Promise<boolean>} ready `false` if it stopped or failed before.
 * @property {Promise<number>} done The exit code, once every process has ended: 0 if it was asked to stop.
 * @property {() => void} stop
 * @property {() => void} kill
 */

/**
 * Gives every service its port and the addresses of the others: `CHAIN_URL` is the public address, `CHAIN_INTERNAL_URL`
 * the address for services (Node does not resolve `*.localhost`). Existing variables take precedence.
 * @param {readonly Service[]} services
 * @param {NodeJS.ProcessEnv} env
 * @returns {NodeJS.ProcessEnv}
 */
export function environment(services, env) {
  /** @type {NodeJS.ProcessEnv} */
  const urls = {}
  for (const service of services) {
    const name = service.name.toUpperCase()
    const url = addressOf(service, env)
    urls[service.variable] = String(getPort(service, env))
    urls[`${name}_URL`] = url
    urls[`${name}_INTERNAL_URL`] = url.replace(`//${service.host}:`, '//127.0.0.1:')
  }
  return { ...urls, ...env }
}

/** @param {Options} options @returns {Supervisor} */
export function supervise({
  services,
  dataDir,
  env,
  root = repository,
  verbose = false,
  patience = 60_000,
  grace = 8_000,
  say,
}) {
  const shared = environment(services, env)
  /** @type {'running' | 'stopping'} */
  let state = 'running'
  let code = 0
  /** @type {Set<Running>} */
  const isReady = new Set()
  /** @type {NodeJS.Timeout | undefined} */
  let killTimer

  const reportOrigin = createOriginReporter({ env, say })
  const running = services.map(service => {
    const onLine = (/** @type {string} */ line) => {
      if (verbose) say(`${service.name} │ ${line}`)
      reportOrigin(service.name, line)
    }
    return startService(service, { root, dataDir, env: shared, onLine })
  })
  const kill = () => {
    for (const process of running) process.kill('SIGKILL')
  }
  const stop = () => {
    if (state === 'stopping') return
    state = 'stopping'
    for (const process of running) process.kill('SIGTERM')
    killTimer = setTimeout(() => {
      say('Some services did not stop by themselves: killing them.')
      kill()
    }, grace)
  }
  /** @param {Running} failed @param {string} what */
  const fail = (failed, what) => {
    if (state === 'stopping') return
    code = 1
    say(`\n${failed.service.name} ${what}. Its last output:`)
    for (const line of failed.lastLines()) say(`  ${line}`)
    say('Stopping everything.')
    stop()
  }

  const late = setTimeout(() => {
    for (const slow of running.filter(service => !isReady.has(service)))
      fail(slow, `was not ready within ${patience / 1000} s`)
  }, patience)
  for (const runningService of running) {
    runningService.ready.then(
      ms => {
        isReady.add(runningService)
        if (state === 'running') say(`  ${runningService.service.name} ready in ${ms} ms`)
      },
      // `ended` below reports the failure.
      () => undefined,
    )
    runningService.ended.then(how => fail(runningService, `ended unexpectedly (${how})`))
  }
  const allEnded = Promise.all(running.map(child => child.ended))

  return {
    ready: Promise.all(running.map(child => child.ready))
      .then(
        () => state === 'running',
        () => false,
      )
      .finally(() => clearTimeout(late)),
    done: allEnded.then(() => {
      clearTimeout(killTimer)
      return code
    }),
    stop,
    kill,
  }
}

/** Stops on Ctrl-C; a second Ctrl-C kills. @param {Supervisor} supervisor @param {(line: string) => void} say */
export function stopOnSignals(supervisor, say) {
  let isStopping = false
  const onSignal = () => {
    if (isStopping) return supervisor.kill()
    isStopping = true
    say('\nStopping … (again to force)')
    supervisor.stop()
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, onSignal)
}
