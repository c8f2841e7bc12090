/** Applies the policy engine to a request: selects the policy, and passes the user's consent and the amounts spent. */

import bs58 from 'bs58'
import { Cache } from '../cache.js'
import { type Counters, getSpent } from '../db/counters.js'
import type { Environment } from '../environments.js'
import { RelayError } from '../http/errors.js'
import type { Call } from '../http/route.js'
import {
  type Amounts,
  decideClosed,
  decideOpen,
  getTables,
  isOpen,
  NO_AMOUNTS,
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

/** The page that asks, and what its user said. */
interface Asked {
  readonly consent: boolean
  readonly origin: string | undefined
}

/** Returns the amounts that count against the limits. @throws Refusal */
export function decide(
  environment: Environment,
  { row, counters }: { readonly row: SetRow; readonly counters: Counters },
  prepared: Prepared,
  asked: Asked,
  now: number,
): Amounts {
  const policies = [row.policy, ...row.unconfirmed]
  if (prepared.kind === 'rawMessage') {
    if (!environment.rawMessages || !policies.every(isOpen)) throw new Refusal('raw-message')
    if (!asked.consent) throw new Refusal('consent')
    return NO_AMOUNTS
  }
  const spent = (asset: string): bigint => getSpent(counters, now, asset)
  const facts = { wallet: readPublicKey(row), getSpent: spent, now, origins: environment.hostOrigins, ...asked }
  const decideBy = (policy: Policy | null): Amounts => {
    if (policy && !isOpen(policy)) return decideClosed(prepared, { ...facts, policy })
    // A grant signs nothing unasked while another policy waits for the user.
    return decideOpen(prepared, { ...facts, policy: policies.length === 1 ? policy : null })
  }
  return new Map(policies.flatMap(policy => [...decideBy(policy)]))
}

/** Converts a refusal into the error to send. */
export function refusalError(row: SetRow, refusal: Refusal): RelayError {
  const isClosed = refusal.rule !== 'consent' && ![row.policy, ...row.unconfirmed].every(isOpen)
  const isFinal = refusal.rule === 'sign-in' ? row.kind === 'delegate' : isClosed || refusal.isFinal
  return new RelayError(isFinal ? 'policy_refused' : 'consent_required', { rule: refusal.rule, ...refusal.facts })
}
