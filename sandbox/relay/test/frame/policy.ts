/** What a session signs for where a policy is set: the set, and all that the policy says. */
import * as v from 'valibot'
import { operationHash } from '../../src/authority/session.js'
import { policySchema } from '../../src/policy/policy.js'

/** As relays write it, however the fields stood. */
export function policyJson(policy: object | null): string {
  return JSON.stringify(policy && v.parse(policySchema, policy))
}

export function policyHash(setId: string, policy: object | null): string {
  return operationHash('setPolicy', setId, policyJson(policy))
}
