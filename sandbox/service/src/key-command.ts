/** `npm run keys`: lists the keys that the database knows, and which of them this environment has. */
import type { DatabaseOf, Schema } from './database/open.js'
import { type KeyRegistry, lockKeys, registerNext } from './key-registry.js'
import type { FoundKey, KeyIdentity } from './key-source.js'

type Found = Pick<FoundKey<unknown>, 'source' | 'identities'>

export interface KeyCommand {
  /** `register` or `retire`; undefined only lists the keys. */
  readonly action: string | undefined
  readonly keys: readonly Found[]
}

/** Number of characters shown: enough to distinguish keys. */
const SHOWN = 12

async function register(registry: KeyRegistry, { name, what, fingerprints }: KeyIdentity): Promise<string[]> {
  const lines: string[] = []
  for (const fingerprint of fingerprints)
    if (await registerNext(registry, name, fingerprint))
      lines.push(`Registered the ${what} ${fingerprint.slice(0, SHOWN)}. Instances may use it now.`)
  return lines
}

async function retire(registry: KeyRegistry, identity: KeyIdentity): Promise<string[]> {
  const { name, what, fingerprints, opensSecrets } = identity
  const lines: string[] = []
  const states = await registry.states(name)
  // Without any key, the next start would accept whatever key it has.
  if (!fingerprints.some(fingerprint => states.has(fingerprint)))
    throw new Error(`The database does not know the ${what} of this environment. Register it first.`)
  for (const [fingerprint, state] of states) {
    // Only a rotation can be sure that a key no longer protects any secret.
    if (fingerprints.includes(fingerprint) || (opensSecrets && state !== 'next')) continue
    await registry.remove(name, fingerprint)
    lines.push(`Retired the ${what} ${fingerprint.slice(0, SHOWN)}. No instance starts with it any more.`)
  }
  return lines
}

async function list(registry: KeyRegistry, { name, what, fingerprints }: KeyIdentity): Promise<string[]> {
  const states = await registry.states(name)
  const all = [...new Set([...states.keys(), ...fingerprints])]
  return all.map(fingerprint => {
    const place = fingerprints.includes(fingerprint) ? 'here' : 'not here'
    return `${what} ${fingerprint.slice(0, SHOWN)}: ${states.get(fingerprint) ?? 'not registered'}, ${place}`
  })
}

/**
 * Runs the command, and returns the text for the operator.
 * @throws Error for an unknown action, and for a key that is not set: the command generates none
 */
export async function runKeyCommand<S extends Schema>(db: DatabaseOf<S>, { action, keys }: KeyCommand) {
  if (action !== undefined && action !== 'register' && action !== 'retire')
    throw new Error(`There is no "${action}". Use "register", "retire", or nothing, which lists the keys.`)
  const missing = keys.flatMap(({ source }) => (source.isNew ? source.variable : []))
  if (missing.length > 0) throw new Error(`Set ${missing.join(' and ')}: this command makes no keys.`)
  const run = action === undefined ? list : action === 'register' ? register : retire
  const lines = await lockKeys(db, async registry => {
    const said: string[] = []
    for (const identity of keys.flatMap(({ identities }) => identities)) said.push(...(await run(registry, identity)))
    return said
  })
  return lines.length > 0 ? lines.join('\n') : 'Nothing to do: the database knows these keys.'
}
