/** Database steps of a rotation of key-encryption keys, before and after the wrapping. */
import { type KeyRegistry, missingKeys, registerNext } from './key-registry.js'
import { KEK_NAME, kekFingerprints, type RotationSteps, type SetRotation } from './secrets.js'

type Locked = (work: (registry: KeyRegistry) => Promise<void>) => Promise<void>

async function begin(registry: KeyRegistry, fingerprints: readonly string[]): Promise<void> {
  const states = await registry.states(KEK_NAME)
  if (missingKeys(states, fingerprints).length > 0) throw new Error('Sealed with a key-encryption key that is not here')
  const [first = '', ...others] = fingerprints
  await registry.set(KEK_NAME, first, 'used')
  for (const other of others)
    if (states.size === 0 || states.has(other)) await registry.set(KEK_NAME, other, 'retiring')
}

async function end(registry: KeyRegistry, [first = '']: readonly string[]): Promise<void> {
  const states = await registry.states(KEK_NAME)
  if (states.get(first) !== 'used')
    throw new Error('Another rotation has begun. Run it again: its key wraps what this one left.')
  for (const [fingerprint, state] of states)
    if (fingerprint !== first && state !== 'used') await registry.remove(KEK_NAME, fingerprint)
}

/** The steps of a rotation to keys with these fingerprints, the new one first. */
export function fingerprintSteps(fingerprints: readonly string[], locked: Locked): SetRotation {
  return {
    begin: () => locked(registry => begin(registry, fingerprints)),
    end: () => locked(registry => end(registry, fingerprints)),
  }
}

/** The steps of a rotation in a service's registry. @param locked runs work while no other process changes the registry */
export function rotationSteps(service: string, locked: Locked): RotationSteps {
  return {
    register: next =>
      locked(async registry => {
        const [fingerprint = ''] = kekFingerprints(service, [next])
        await registerNext(registry, KEK_NAME, fingerprint)
      }),
    begin: keks => fingerprintSteps(kekFingerprints(service, keks), locked).begin(),
    end: keks => fingerprintSteps(kekFingerprints(service, keks), locked).end(),
  }
}
