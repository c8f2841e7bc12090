/** Policy engine: only decides about bytes. Start with decide.ts. */

export { decideClosed, decideOpen, getTables, type SignKind } from './decide.js'
export { isSoundGrant } from './grant.js'
export { hashPolicy, isOpen, isWithin, type Policy, policySchema, policyText } from './policy.js'
export { Refusal } from './refusal.js'
export { readTransaction, type Tables, type TransactionMessage } from './transaction.js'
