/** What a session signs for where a policy is set: the set, and all that the policy says. */
import * as v from 'valibot'
import { operationHash } from '../../src/authority/session.js'
import { policySchema } from '../../src/policy/policy.js'

/** As relays write it, however the fields stood. */
export const policyJson = (policy: object | null): string => JSON.stringify(policy && v.parse(policySchema, policy))
export const policyHash = (setId: string, policy: object | null): string =>
  operationHash('setPolicy', setId, policyJson(policy))
