/** Compares the keys of this start with those that the database knows. */

import { type KeyRegistry, type KeyStates, missingKeys } from './key-registry.js'
import type { FoundKey, KeyIdentity } from './key-source.js'
import type { StartUpCheck } from './start-up.js'

export type Found = Pick<FoundKey<unknown>, 'source' | 'identities'>

interface KnownKey {
  readonly source: Found['source']
  readonly identity: KeyIdentity
  readonly states: KeyStates
}

const FRESH = 'On a laptop, `npm start -- --fresh` begins again without the old data.'

/** Returns why production may not use a key that was generated here: other instances do not have it. */
function generatedKeyProblem(check: StartUpCheck, { variable, from }: Found['source']): string | undefined {
  if (from === variable || !check.isProduction) return undefined
  const place = from === 'memory' ? 'in memory' : `in ${from}`
  return `${variable} is not set, so this instance would use a generated key ${place}, which no other instance has. Set ${variable} to the same key on every instance (README, "Running it in production").`
}

/** Returns why an instance may not start with this key, and what to do. */
function getProblem({ source, identity, states }: KnownKey): string | undefined {
  const { variable, from, isNew } = source
  const { what, fingerprints, opensSecrets } = identity
  const [first = ''] = fingerprints
  if (states.size === 0) return undefined
  if (isNew)
    return `${variable} is not set, and the database was made with other keys. Set it to the keys that the other instances have. ${FRESH}`
  const state = states.get(first)
  if (state === undefined)
    return `${from}: the database was made with other keys and does not know this ${what}. Use the one that it knows, or register this one first (README, "Keys"). After a restored backup, use the keys of that time. ${FRESH}`
  if (!opensSecrets) return undefined
  if (state === 'retiring') return `${from}: a rotation has replaced this ${what}. Put the new one in front of it.`
  if (missingKeys(states, fingerprints).length > 0)
    return `${from}: the database holds secrets under another ${what}, which is not there. Put it behind this one until "npm run rotate" has ended.`
  return undefined
}

function readStates(registry: KeyRegistry, keys: readonly Found[]): Promise<readonly KnownKey[]> {
  const identities = keys.flatMap(({ source, identities }) => identities.map(identity => ({ source, identity })))
  return Promise.all(identities.map(async key => ({ ...key, states: await registry.states(key.identity.name) })))
}

/** Returns why an instance with these keys would not start, and writes nothing. */
export async function findKeyProblems(registry: KeyRegistry, keys: readonly Found[]): Promise<readonly string[]> {
  return (await readStates(registry, keys)).flatMap(key => getProblem(key) ?? [])
}

/** Registers the keys of this start. A database without any keys accepts them all. */
async function register(registry: KeyRegistry, identity: KeyIdentity, states: KeyStates): Promise<void> {
  const { name, fingerprints, opensSecrets } = identity
  const [first = '', ...others] = fingerprints
  if (states.get(first) !== 'used') await registry.set(name, first, 'used')
  if (states.size === 0 && opensSecrets) for (const other of others) await registry.set(name, other, 'used')
}

/**
 * Refuses keys that the database does not know, and registers those of a first start. Only then writes a new key to its
 * file. Find the keys and run this inside `lockKeys`: of two first starts in one folder, the second finds the keys of
 * the first.
 * @param foundKeys the keys of this start; unreadable keys are already recorded as problems
 * @throws StartUpError that lists all problems of the start
 */
export async function admitKeys(registry: KeyRegistry, check: StartUpCheck, foundKeys: readonly (Found | undefined)[]) {
  const keys = foundKeys.flatMap(key => key ?? [])
  const known = await readStates(registry, keys)
  for (const { source } of keys) {
    const problem = generatedKeyProblem(check, source)
    if (problem !== undefined) check.add(problem, source.variable)
  }
  for (const key of known) {
    const problem = getProblem(key)
    // One variable may hold several unknown keys.
    if (problem !== undefined) check.add(problem, key.source.isNew ? key.source.variable : problem)
  }
  check.throwProblems()
  for (const { source } of keys) source.save()
  for (const { identity, states } of known) await register(registry, identity, states)
}
