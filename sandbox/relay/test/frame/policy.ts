/** Data that a session signs to set a policy: the set and the whole policy. */
import * as v from 'valibot'
import { operationHash } from '../../src/authority/session.js'
import { policySchema } from '../../src/policy/policy.js'

/** Returns the policy's JSON in the relays' order of fields. */
export function policyJson(policy: object | null): string {
  return JSON.stringify(policy && v.parse(policySchema, policy))
}

export function policyHash(setId: string, policy: object | null): string {
  return operationHash('setPolicy', setId, policyJson(policy))
}
