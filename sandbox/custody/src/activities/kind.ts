/** Definition of an activity kind: its path, wire names, parameters and implementation. */
import * as v from 'valibot'
import type { Database } from '../db/open.js'
import { CustodyError, invalidRequest, required } from '../http/errors.js'
import type { Curve } from '../keys/derive.js'
import type { Cost } from '../limits.js'
import type { Json, JsonObject } from '../protocol.js'
import type { Services } from '../services.js'
import type { Actor } from '../stamps/authenticate.js'

/** Resources used by the activity, as policies see them. */
export interface Subject {
  readonly wallet?: { readonly id: string; readonly label: string }
  readonly wallet_account?: { readonly address: string; readonly path: string }
  readonly private_key?: { readonly id: string; readonly label: string }
}

/** A key of the organization: of an account, or a standalone private key. */
export interface Signer {
  readonly curve: Curve
  /** hex */
  readonly publicKey: string
  readonly subject: Subject
  /** Passes the key to `use`, then erases it. */
  withKey<T>(use: (key: Uint8Array) => T): Promise<T>
}

/** The credential behind a request or a vote. */
export type Stamp = Pick<Actor, 'userId' | 'credential' | 'credentialId' | 'isVerified'>

export interface Stamped {
  readonly tx: Database
  readonly organizationId: string
  readonly stamp: Stamp
}

export interface Running {
  /** Transaction of the whole activity; the database itself for an activity that writes nothing. */
  readonly tx: Database
  readonly services: Services
  readonly organizationId: string
  readonly activityId: string
  /** User who began the activity. */
  readonly userId: string
  readonly now: number
  /** The key that the activity names, if its organization has it. */
  readonly signer: Signer | undefined
}

/** @throws CustodyError when the organization has no such account or key */
export function getSigner({ signer }: Pick<Running, 'signer'>): Signer {
  return required(signer, 'account or key to sign with')
}

export interface ActivityFacts {
  /** Last part of `/public/v1/submit/…`. */
  readonly path: string
  /** Activity types accepted at this path. */
  readonly types: readonly string[]
  readonly intent: string
  readonly result: string
  /** Action name in policies. */
  readonly action: 'SIGN' | 'EXPORT' | 'IMPORT' | 'CREATE' | 'UPDATE' | 'DELETE' | 'RECOVER' | 'VOTE'
  readonly resource:
    | 'WALLET'
    | 'WALLET_ACCOUNT'
    | 'PRIVATE_KEY'
    | 'USER'
    | 'CREDENTIAL'
    | 'POLICY'
    | 'ORGANIZATION'
    | 'ACTIVITY'
  /** Additional callers, beyond the users whom the organization's policies allow. */
  readonly by?: 'operator' | 'parent' | 'recovery' | 'any-user'
  /** Weakest sufficient stamp: any key, or any passkey. Absent: a passkey with user verification. */
  readonly needs?: 'key' | 'passkey'
  /** `run` changes neither the database nor anything else, so that it may run twice and without a transaction. */
  readonly writesNothing?: true
}

export interface ActivityKind extends ActivityFacts {
  readonly parameters: v.GenericSchema
  subject(running: Running, parameters: unknown): Promise<Subject>
  /** @throws CustodyError */
  run(running: Running, parameters: unknown): Promise<JsonObject>
  /** Validates before any policy; absent: no validation. @throws CustodyError */
  check(actor: Actor, parameters: unknown): void
  /** Allows changes to the caller's own credentials by a stamp weaker than `needs`, without the quorum. */
  isOwnAffair(stamped: Stamped, parameters: unknown): Promise<boolean>
  /** Returns what the activity takes from the budgets of its organization, beside being an activity. */
  cost(parameters: unknown): Cost
  /** Returns the user whose vote is required whatever the quorum, because the activity gives away that user's power. */
  actsAs(parameters: unknown): string | undefined
  /** Returns the address or ID of the key that the activity uses. */
  keyName(parameters: unknown): string | undefined
}

type Facts = Pick<ActivityFacts, 'path' | 'action' | 'resource' | 'by' | 'needs' | 'writesNothing'>

/** Cost of an activity that names no other. */
const USUAL_COST: { readonly [Action in ActivityFacts['action']]?: Cost } = {
  SIGN: { signatures: 1 },
  CREATE: { rows: 1 },
}

/** Returns the wire names of an activity: `sign_transaction` of version 2 is ACTIVITY_TYPE_SIGN_TRANSACTION_V2. */
function wireNames(path: string, versions: readonly string[], resultVersion: string) {
  const [newest = ''] = versions
  const name = path.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
  return {
    types: versions.map(version => `ACTIVITY_TYPE_${path.toUpperCase()}${version && `_${version}`}`),
    intent: `${name}Intent${newest}`,
    result: `${name}Result${resultVersion}`,
  }
}

export function kind<S extends v.GenericSchema>(
  definition: Facts & {
    /** Versions of the activity type, the newest first; default: a type without version. */
    readonly versions?: readonly string[]
    /** Version in the name of the result, if it has one. */
    readonly resultVersion?: string
    readonly parameters: S
    /** Default: the key that the activity names. */
    readonly subject?: (running: Running, parameters: v.InferOutput<S>) => Promise<Subject>
    readonly check?: (actor: Actor, parameters: v.InferOutput<S>) => void
    readonly isOwnAffair?: (stamped: Stamped, parameters: v.InferOutput<S>) => Promise<boolean>
    readonly actsAs?: (parameters: v.InferOutput<S>) => string | undefined
    readonly keyName?: (parameters: v.InferOutput<S>) => string
    readonly cost?: (parameters: v.InferOutput<S>) => Cost
    readonly run: (running: Running, parameters: v.InferOutput<S>) => Promise<JsonObject>
  },
): ActivityKind {
  const {
    versions = [''],
    resultVersion = '',
    parameters,
    subject,
    check,
    isOwnAffair,
    actsAs,
    keyName,
    cost,
    run,
    ...rest
  } = definition
  return {
    ...rest,
    ...wireNames(rest.path, versions, resultVersion),
    parameters,
    subject: async (running, raw) => subject?.(running, parse(parameters, raw)) ?? running.signer?.subject ?? {},
    check: (actor, raw) => check?.(actor, parse(parameters, raw)),
    isOwnAffair: async (stamped, raw) =>
      isOwnAffair !== undefined && v.is(parameters, raw) && isOwnAffair(stamped, parse(parameters, raw)),
    actsAs: raw => actsAs?.(parse(parameters, raw)),
    keyName: raw => keyName?.(parse(parameters, raw)),
    cost: raw => cost?.(parse(parameters, raw)) ?? USUAL_COST[rest.action] ?? {},
    run: (running, raw) => run(running, parse(parameters, raw)),
  }
}

/** @throws CustodyError that names the fields without their values */
export function parse<S extends v.GenericSchema>(schema: S, value: unknown): v.InferOutput<S> {
  const result = v.safeParse(schema, value)
  if (result.success) return result.output
  const fields = result.issues
    .slice(0, 10)
    .map(issue => ({ field: v.getDotPath(issue) ?? '', expected: issue.expected ?? issue.type }))
  throw new CustodyError(invalidRequest, { fields })
}

export function isJson(value: unknown): value is Json {
  return (
    value === null ||
    ['string', 'number', 'boolean'].includes(typeof value) ||
    (Array.isArray(value) ? value.every(isJson) : typeof value === 'object' && Object.values(value ?? {}).every(isJson))
  )
}
