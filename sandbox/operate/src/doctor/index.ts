/** `doctor`: checks a running deployment from outside and from inside, all at once. */

import { readDeployment as readCustody } from '@keybay/sandbox-custody/operated'
import { readFrame } from '@keybay/sandbox-frame/operated'
import { type Env, isStateful, OPERATED, type ServiceName, type StatefulService } from '../services.js'
import { type Check, Finding, type Result, runCheck } from './check.js'
import { listApiChecks } from './checks/api.js'
import { checkSettings, listDatabaseChecks } from './checks/database.js'
import { listFrameChecks } from './checks/frame.js'
import { listPublicChecks } from './checks/public.js'
import { listRelayChecks } from './checks/relay.js'
import { checkMail } from './checks/shared.js'

/** Time for each check, in ms. All run at the same time. */
const CHECK_TIMEOUT_MS = 8_000

/** Path below a service's public URL that answers 200 to everyone. */
const PROBES: Readonly<Record<StatefulService, string>> = {
  api: '/openapi.json',
  r1: '/party',
  r2: '/party',
  custody: '/enclave',
}
const PROXY_VARIABLES: Readonly<Record<StatefulService, string>> = {
  api: 'API_TRUSTED_PROXIES',
  r1: 'RELAY_TRUSTED_PROXIES',
  r2: 'RELAY_TRUSTED_PROXIES',
  custody: 'CUSTODY_TRUSTED_PROXIES',
}

async function listOwnChecks(service: StatefulService, env: Env, publicUrl: string): Promise<readonly Check[]> {
  if (service === 'api') return listApiChecks(env, publicUrl)
  if (service === 'custody') return [checkMail(service, readCustody(env).smtpUrl)]
  return listRelayChecks(service, env)
}

async function listStatefulChecks(service: StatefulService, given: Env): Promise<readonly Check[]> {
  const operated = OPERATED[service].read(given)
  const { problems, env, databaseUrl } = operated
  const variable = PROXY_VARIABLES[service]
  const publicUrl = operated.publicUrl?.replace(/\/$/, '')
  return [
    checkSettings(service, problems),
    ...(databaseUrl === undefined ? [] : listDatabaseChecks(service, operated)),
    ...(publicUrl === undefined
      ? []
      : [
          ...listPublicChecks({
            service,
            publicUrl,
            probe: publicUrl + PROBES[service],
            proxies: { variable, value: env[variable] },
          }),
          ...(await listOwnChecks(service, given, publicUrl)),
        ]),
  ]
}

async function listAllFrameChecks(env: Env): Promise<readonly Check[]> {
  const service = 'frame'
  const { problems, publicUrl, configurations } = await readFrame(env)
  return [
    checkSettings(service, problems),
    ...(publicUrl === undefined
      ? []
      : [
          ...listPublicChecks({ service, publicUrl, probe: `${new URL(publicUrl).origin}/recover` }),
          ...listFrameChecks(publicUrl, configurations),
        ]),
  ]
}

async function listChecks(service: ServiceName, env: Env): Promise<readonly Check[]> {
  try {
    return await (isStateful(service) ? listStatefulChecks(service, env) : listAllFrameChecks(env))
  } catch (error) {
    // The service itself would not start with these variables.
    const text = error instanceof Error ? error.message : String(error)
    const run = () => Promise.reject(new Finding('The settings cannot be read.', text))
    return [{ service, name: 'settings', remedy: text, run }]
  }
}

/** Checks each service that has variables here. Every check is live; none changes anything. */
export async function examine(environments: ReadonlyMap<ServiceName, Env>): Promise<readonly Result[]> {
  const checks = await Promise.all([...environments].map(([service, env]) => listChecks(service, env)))
  return Promise.all(checks.flat().map(check => runCheck(check, CHECK_TIMEOUT_MS)))
}
