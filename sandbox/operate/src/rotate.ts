/** `rotate`: takes the next step of replacing a service's key. */
import { rotateSigningKey } from '@keybay/sandbox-api/operated'
import { rotateKek as rotateCustody } from '@keybay/sandbox-custody/operated'
import { rotateKek as rotateRelay } from '@keybay/sandbox-relay/operated'
import type { Env, ServiceName } from './services.js'

interface Step {
  /** The operator's word that every instance has restarted since the last step. */
  readonly isRestarted: boolean
  /** ms since epoch */
  readonly now: number
}

const ROTATIONS: Readonly<Record<ServiceName, ((env: Env, step: Step) => Promise<string>) | undefined>> = {
  api: (env, { isRestarted, now }) => rotateSigningKey(env, isRestarted, now),
  r1: (env, { isRestarted }) => rotateRelay(env, 1, isRestarted),
  r2: (env, { isRestarted }) => rotateRelay(env, 2, isRestarted),
  custody: (env, { isRestarted }) => rotateCustody(env, isRestarted),
  frame: undefined,
}

/**
 * Takes one step for one service: a text for two could be lost with the error of the second.
 * @returns what the step did, and what the operator does next
 * @throws Error that names the service, and says what to do
 */
export async function rotate(environments: ReadonlyMap<ServiceName, Env>, step: Step): Promise<string> {
  const [[service, env] = [undefined, {}], ...others] = environments
  const rotateKey = service && ROTATIONS[service]
  if (!rotateKey || others.length > 0) throw new Error('Name one service whose key is rotated: api, r1, r2 or custody.')
  try {
    return `${service}: ${await rotateKey(env, step)}`
  } catch (error) {
    throw new Error(`${service}: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
  }
}
