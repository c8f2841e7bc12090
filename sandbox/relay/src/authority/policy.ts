/** Applies the policy engine to a request: selects the policy, and passes the user's consent and the amounts spent. */

import bs58 from 'bs58'
import { Cache } from '../cache.js'
import { type Counters, getSpent } from '../db/counters.js'
import type { Environment } from '../environments.js'
import { RelayError } from '../http/errors.js'
import type { Call } from '../http/route.js'
import {
  checkTransaction,
  decideMessage,
  decideTransaction,
  defaultPolicy,
  getTables,
  type Policy,
  Refusal,
  readTransaction,
  type SignKind,
  type Tables,
  type TransactionMessage,
} from '../policy/index.js'
import type { SetRow } from '../store/sets.js'

/** Bytes to sign, parsed as far as possible without the set's row. */
export interface Prepared {
  readonly kind: SignKind
  readonly message: Uint8Array
  readonly transaction: TransactionMessage | undefined
  readonly tables: Tables
}

const defaults = new WeakMap<Environment, Policy>()

export function getDefaultPolicy(environment: Environment): Policy {
  const policy = defaults.get(environment) ?? defaultPolicy(environment.unaskedDailyLimit)
  defaults.set(environment, policy)
  return policy
}

/** @throws Refusal; RelayError `rpc_unavailable` */
export async function prepare({ services, environment }: Call, kind: SignKind, message: Uint8Array): Promise<Prepared> {
  if (kind !== 'transaction') return { kind, message, transaction: undefined, tables: new Map() }
  const transaction = readTransaction(message)
  return { kind, message, transaction, tables: await services.chain.tables(environment, getTables(transaction)) }
}

const wallets = new Cache<Uint8Array>()

function readPublicKey({ address }: SetRow): Uint8Array {
  return wallets.get(address) ?? wallets.set(address, bs58.decode(address))
}

/**
 * Returns the lamports that count against the limits; none when the user agreed and no policy of the user forbids it.
 *
 * @throws Refusal
 */
export function decide(
  environment: Environment,
  { row, counters }: { readonly row: SetRow; readonly counters: Counters },
  prepared: Prepared,
  consent: boolean,
  now: number,
): bigint {
  const { kind, message, transaction, tables } = prepared
  const policy = row.policy ?? getDefaultPolicy(environment)
  const spent = getSpent(counters, now)
  const facts = { wallet: readPublicKey(row), policy, spent, now, origins: environment.hostOrigins, consent }
  if (kind === 'rawMessage') {
    if (!environment.rawMessages || row.policy) throw new Refusal('raw-message')
    return 0n
  }
  if (!transaction) {
    decideMessage(message, facts)
    return 0n
  }
  try {
    return decideTransaction(transaction, tables, facts)
  } catch (error) {
    if (!(error instanceof Refusal) || error.isFinal || row.policy || !consent) throw error
    checkTransaction(transaction, facts.wallet)
    return 0n
  }
}

/** Converts a refusal into the error to send. */
export function refusalError(row: SetRow, refusal: Refusal): RelayError {
  const isFinal = refusal.rule === 'sign-in' ? row.kind === 'delegate' : row.policy || refusal.isFinal
  return new RelayError(isFinal ? 'policy_refused' : 'consent_required', { rule: refusal.rule, ...refusal.facts })
}
