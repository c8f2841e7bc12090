/** The services of a deployment, and their environments. */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { OPERATED as API } from '@keybay/sandbox-api/operated'
import { OPERATED as CUSTODY } from '@keybay/sandbox-custody/operated'
import { getOperated } from '@keybay/sandbox-relay/operated'
import type { Operated } from '@keybay/sandbox-service/operated'

/** Services with keys and a database. */
export const STATEFUL = ['api', 'r1', 'r2', 'custody'] as const
export const SERVICES = [...STATEFUL, 'frame'] as const
export type StatefulService = (typeof STATEFUL)[number]
export type ServiceName = (typeof SERVICES)[number]

export function isStateful(service: ServiceName): service is StatefulService {
  return service !== 'frame'
}

export const OPERATED: Readonly<Record<StatefulService, Operated>> = {
  api: API,
  r1: getOperated(1),
  r2: getOperated(2),
  custody: CUSTODY,
}

/** Variables of a service, by their names. */
export type Env = Readonly<Record<string, string | undefined>>

/** @throws Error that lists the services */
export function readServiceNames(texts: readonly string[]): readonly ServiceName[] {
  return texts.map(text => {
    const name = SERVICES.find(service => service === text)
    if (name === undefined) throw new Error(`"${text}" is not a service. Use ${SERVICES.join(', ')}.`)
    return name
  })
}

/** Returns the file with a service's variables. */
export function getEnvFile(folder: string, service: ServiceName): string {
  return join(folder, `${service}.env`)
}

function withParty(service: ServiceName, env: Env): Env {
  return service === 'r2' ? { ...env, RELAY_PARTY: '2' } : env
}

export interface Place {
  /** Folder with a file of variables for each service. Without it, the variables of this process count. */
  readonly folder: string | undefined
  /** Services to look at. Default: all that have a file. */
  readonly services: readonly ServiceName[]
}

/**
 * Reads the variables of each service.
 * @throws Error for a service without a file, and when there is no service at all
 */
export function readEnvironments({ folder, services }: Place): ReadonlyMap<ServiceName, Env> {
  if (folder === undefined) {
    if (services.length === 0)
      throw new Error(`Name the service whose variables are set here (${SERVICES.join(', ')}), or add --env <folder>.`)
    return new Map(services.map(service => [service, withParty(service, process.env)]))
  }
  const named = services.length > 0 ? services : SERVICES.filter(service => existsSync(getEnvFile(folder, service)))
  if (named.length === 0) throw new Error(`${folder} has no file such as api.env. Create one with "keygen".`)
  return new Map(
    named.map(service => {
      const file = getEnvFile(folder, service)
      if (!statSync(file, { throwIfNoEntry: false })?.isFile())
        throw new Error(`${file} is no file. Write the variables of ${service} to it.`)
      // Editors of Windows begin a file with a byte order mark, which would be a part of the first name.
      return [service, withParty(service, parseEnv(readFileSync(file, 'utf8').replace(/^\ufeff/, '')))]
    }),
  )
}
