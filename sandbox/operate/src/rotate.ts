/** `rotate`: takes the next step of replacing a service's key. */
import { rotateKey } from '@keybay/sandbox-api/operated'
import { rotateKek as rotateCustody, rotateEnclave } from '@keybay/sandbox-custody/operated'
import { rotatePartyKey, rotateKek as rotateRelay } from '@keybay/sandbox-relay/operated'
import type { Env, ServiceName } from './services.js'

interface Step {
  /** The operator's word that every instance has restarted since the last step. */
  readonly isRestarted: boolean
  /** ms since epoch */
  readonly now: number
}

type Rotate = (env: Env, step: Step) => Promise<string>

function getRelayRotations(party: 1 | 2): Readonly<Record<string, Rotate>> {
  return {
    kek: (env, { isRestarted }) => rotateRelay(env, party, isRestarted),
    record: (env, step) => rotatePartyKey(env, party, 'record', step),
    sealing: (env, step) => rotatePartyKey(env, party, 'sealing', step),
  }
}

/** Rotations of each service by the name of the key; the first is the default. */
const ROTATIONS: Readonly<Record<ServiceName, Readonly<Record<string, Rotate>>>> = {
  api: {
    signing: (env, step) => rotateKey(env, 'signing', step),
    secret: (env, step) => rotateKey(env, 'secret', step),
  },
  r1: getRelayRotations(1),
  r2: getRelayRotations(2),
  custody: {
    kek: (env, { isRestarted }) => rotateCustody(env, isRestarted),
    enclave: (env, { isRestarted }) => rotateEnclave(env, isRestarted),
  },
  frame: {},
}

/**
 * Takes one step for one service: a text for two could be lost with the error of the second.
 * @param key name of the key; by default the first of the service
 * @returns what the step did, and what the operator does next
 * @throws Error that names the service, and says what to do
 */
export async function rotate(
  environments: ReadonlyMap<ServiceName, Env>,
  { key, ...step }: Step & { readonly key?: string | undefined },
): Promise<string> {
  const [[service, env] = [undefined, {}], ...others] = environments
  const keys = Object.keys(service ? ROTATIONS[service] : {})
  const [first] = keys
  if (service === undefined || first === undefined || others.length > 0)
    throw new Error('Name one service whose key is rotated: api, r1, r2 or custody.')
  const takeStep = ROTATIONS[service][key ?? first]
  if (!takeStep) throw new Error(`${service} has no key "${key}" to rotate. Use --key ${keys.join(' or ')}.`)
  try {
    return `${service}: ${await takeStep(env, step)}`
  } catch (error) {
    throw new Error(`${service}: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
  }
}
