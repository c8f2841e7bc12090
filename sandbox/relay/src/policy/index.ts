/** Policy engine: only decides about bytes. Start with decide.ts. */

export { type Amounts, decideClosed, decideOpen, getTables, NO_AMOUNTS, type SignKind, SOL } from './decide.js'
export { isSoundGrant } from './grant.js'
export {
  hashPolicy,
  isOpen,
  isWithin,
  type Policy,
  policySchema,
  policyText,
  SIGNS_NOTHING,
  type TokenRule,
} from './policy.js'
export { TOKEN, TOKEN_2022 } from './programs.js'
export { Refusal } from './refusal.js'
export { readTransaction, type Tables, type TransactionMessage } from './transaction.js'
