/** Policy engine: only decides about bytes. Start with decide.ts. */

export { checkTransaction, decideMessage, decideTransaction, getTables, type SignKind } from './decide.js'
export { defaultPolicy } from './default.js'
export { hashPolicy, isWithin, type Policy, policySchema, policyText } from './policy.js'
export { Refusal } from './refusal.js'
export { readTransaction, type Tables, type TransactionMessage } from './transaction.js'
