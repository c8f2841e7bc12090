/** Database steps of a rotation of key-encryption keys, before and after the wrapping. */
import { type KeyRegistry, missingKeys, registerNext } from './key-registry.js'
import { KEK_NAME, kekFingerprints, type RotationSteps } from './secrets.js'

/** The steps of a rotation in a service's registry. @param locked runs work while no other process changes the registry */
export function rotationSteps(
  service: string,
  locked: (work: (registry: KeyRegistry) => Promise<void>) => Promise<void>,
): RotationSteps {
  return {
    register: next =>
      locked(async registry => {
        const [fingerprint = ''] = kekFingerprints(service, [next])
        await registerNext(registry, KEK_NAME, fingerprint)
      }),
    begin: keks =>
      locked(async registry => {
        const states = await registry.states(KEK_NAME)
        const fingerprints = kekFingerprints(service, keks)
        if (missingKeys(states, fingerprints).length > 0)
          throw new Error('Sealed with a key-encryption key that is not here')
        const [first = '', ...others] = fingerprints
        await registry.set(KEK_NAME, first, 'used')
        for (const other of others)
          if (states.size === 0 || states.has(other)) await registry.set(KEK_NAME, other, 'retiring')
      }),
    end: keks =>
      locked(async registry => {
        const [first = ''] = kekFingerprints(service, keks)
        const states = await registry.states(KEK_NAME)
        if (states.get(first) !== 'used')
          throw new Error('Another rotation has begun. Run it again: its key wraps what this one left.')
        for (const [fingerprint, state] of states)
          if (fingerprint !== first && state !== 'used') await registry.remove(KEK_NAME, fingerprint)
      }),
  }
}
