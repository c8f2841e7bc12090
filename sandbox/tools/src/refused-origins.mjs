/** Finds origins that the services refuse in their logs, and says how to allow each origin, once. */

/** Origins of a developer's pages; a page on the internet can send requests from any number. */
const MAX_ORIGINS = 20
/** No character that a shell reads, because the origin becomes part of a command. */
const SAFE_ORIGIN = /^https?:\/\/(?:[\w.-]+|\[[\da-f:]+\])(?::\d+)?$/

/**
 * @param {{ env: NodeJS.ProcessEnv, say: (line: string) => void }} options
 * @returns {(service: string, line: string) => void} reads a line of a service's output
 */
export function createOriginReporter({ env, say }) {
  /** @type {Set<string>} */
  const reported = new Set()
  return (service, line) => {
    const [, origin = ''] = /"refusedOrigin":"([^"]*)"/.exec(line) ?? []
    if (!SAFE_ORIGIN.test(origin) || reported.has(origin) || reported.size >= MAX_ORIGINS) return
    reported.add(origin)
    const allowed = [env.APP_ORIGINS, origin].filter(Boolean).join(',')
    say(`\n${service} refused a page of ${origin}. If it is your app: APP_ORIGINS=${allowed} npm start`)
  }
}
