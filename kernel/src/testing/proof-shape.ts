import type { Credential } from '../connector.js'

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns what the `account` plugin would refuse, or undefined. */
export function getProofProblem({
  method,
  proof,
}: {
  readonly method: Credential['method']
  readonly proof: unknown
}): string | undefined {
  if (method === 'externalUser')
    return isRecord(proof) && typeof proof.token === 'string' && proof.token
      ? undefined
      : 'the proof of externalUser must be { token: string }: put the token that your server issued there'
  if (method === 'blockchain')
    return typeof proof === 'string' && proof
      ? undefined
      : 'the proof of blockchain must be the id of the wallet connector that signs in, a string'
  return isRecord(proof)
    ? undefined
    : `the proof of ${method} must be an object: the last response of entrance.post, unchanged`
}
