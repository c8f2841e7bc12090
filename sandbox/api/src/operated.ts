/** The API as the operator's command sees it. */
import { join } from 'node:path'
import { readProgram } from '@keybay/sandbox-service'
import { createEnvelope } from '@keybay/sandbox-service/envelope'
import { type KeyRegistry, lockKeys, rotateKekFile } from '@keybay/sandbox-service/keys'
import { defineOperated, type Operated } from '@keybay/sandbox-service/operated'
import { getClient } from './custody/keys.js'
import { definition, openDatabase } from './db/open.js'
import { type Environment, readEnvironments } from './environments.js'
import { PROGRAM } from './program.js'
import { listCopyChecks } from './restored.js'
import { findKeys } from './security/keys.js'
import { rotateSigningFile } from './security/rotate-signing.js'
import { rewrap, SECRET_PART } from './security/sealing.js'
import { createSocialRegistry } from './social/registry.js'

export const OPERATED: Operated = defineOperated({
  program: PROGRAM,
  database: definition,
  findKeys: async ({ keys, dataDir }) => [findKeys({ json: keys, file: dataDir && join(dataDir, 'keys.json') })],
  listCopyChecks: async ({ keys }, databases) => listCopyChecks(findKeys({ json: keys }).value, databases),
})

export { writeApproverKeys } from './custody/approver-keys.js'
export { newKey } from './custody/keys.js'

interface RotationStep {
  /** The operator's word that every instance has restarted since the last step. */
  readonly isRestarted: boolean
  /** ms since epoch */
  readonly now: number
}

/**
 * Takes the next step of a rotation of the signing key or the secret.
 * @throws Error when the keys are in no file, or the database is not set
 */
export async function rotateKey(
  given: NodeJS.ProcessEnv,
  name: 'signing' | 'secret',
  { isRestarted, now }: RotationStep,
): Promise<string> {
  const { databaseUrl } = readProgram(PROGRAM, given).options
  const file = given.API_KEYS_FILE
  if (!file || databaseUrl === undefined)
    throw new Error('API_KEYS_FILE and DATABASE_URL are needed. Put the keys into a file that only you can read.')
  const { db, query, close } = await openDatabase({ url: databaseUrl })
  const rotation = { file, isRestarted, locked: <T>(work: (registry: KeyRegistry) => Promise<T>) => lockKeys(db, work) }
  try {
    if (name === 'signing') return await rotateSigningFile({ ...rotation, now })
    const rewrapAll = (keks: readonly Uint8Array[]) => rewrap(query, createEnvelope(keks))
    const source = { service: 'api', variable: 'API_KEYS' }
    return await rotateKekFile({ ...rotation, ...source, rewrapAll, part: SECRET_PART })
  } finally {
    await close()
  }
}

/** Services around the API, as its environment names them. */
export interface ApiDeployment {
  readonly environments: readonly Environment[]
  /** Returns the public keys that the API publishes for an environment. */
  readonly getJwks: (environmentId: string) => object
  readonly relays: readonly string[]
  /** Record keys of R1, if an environment has embedded wallets. */
  readonly recordKeys: readonly object[] | undefined
  readonly smtpUrl: string
  readonly smsUrl: string
  /** Asks custody who the API's key is, and returns its organization. Undefined: no environment uses custody. */
  readonly custody: (() => Promise<string>) | undefined
}

/** @throws Error when the API could not start with these variables */
export async function readDeployment(given: NodeJS.ProcessEnv): Promise<ApiDeployment> {
  const { options } = readProgram(PROGRAM, given)
  const { social = {}, keys, relays = [], recordKeys, smtpUrl, smsUrl, custody } = options
  const environments = [
    ...readEnvironments(options.environments, createSocialRegistry(social, () => undefined).known).values(),
  ]
  const operator = custody?.operator()
  const usesCustody = environments.some(environment => environment.custody.enabled)
  return {
    environments,
    getJwks: environmentId => findKeys({ json: keys }).value.forEnvironment(environmentId).jwks,
    relays,
    recordKeys: await recordKeys?.(undefined),
    smtpUrl,
    smsUrl,
    custody:
      usesCustody && custody && operator
        ? async () => {
            const { organizationId } = operator
            return (await getClient(custody.baseUrl, operator).getWhoami({ organizationId })).organizationId
          }
        : undefined,
  }
}
