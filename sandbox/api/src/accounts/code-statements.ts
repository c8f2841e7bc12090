/**
 * Statements of one-time codes. Sending a code and checking one take a single statement each, in which the proof of the
 * request is used up, the rate limits are spent, the code is stored or tried, and a known user is signed in: every user
 * who signs in needs both, and a process that is killed leaves all of it or none.
 */
import { randomUUID } from 'node:crypto'
import { tooManyRequests } from '@keybay/kernel/spec'
import {
  getSpendingValues,
  getWait,
  giveBack,
  SPENDING,
  SPENDING_ONE,
  type Spending,
  verdictColumns,
} from '@keybay/sandbox-service/windows'
import * as v from 'valibot'
import type { Call, UnspentProof } from '../http/call.js'
import { ApiError } from '../http/errors.js'
import { refuseProof } from '../security/proof.js'
import type { CeremonyContext, CeremonyKey, NewCeremony } from './ceremonies.js'
import {
  getSignInParts,
  getSignInValues,
  type KnownUser,
  type ProvedMethod,
  signedInSchema,
  toKnownUser,
} from './known-user.js'
import type { SessionStart } from './sessions.js'

/** Checks that a request must pass before its code is stored or tried. */
export interface Admission {
  /** Proof of the request; undefined if it was used up before. */
  readonly proof: UnspentProof | undefined
  readonly spending: Spending
}

/** $1 to $3 the budgets, $4 and $5 the proof. `passed` has a row if the proof is new and no budget refuses. */
function getAdmission(spending: string): string {
  return `
with fresh as (
  insert into proofs (id, expires_at) select $4::text, $5::bigint where $4::text is not null
  on conflict do nothing returning 1
), admitted as (
  select where $4::text is null or exists (select from fresh)
), ${spending}, passed as (
  select from verdict where until is null and exists (select from admitted)
)`
}

const ADMISSION_RESULT = 'exists (select from admitted) as "isAdmitted", until, late, refused'

const admissionColumns = { isAdmitted: v.boolean(), ...verdictColumns }
const admissionRow = v.object(admissionColumns)

function getAdmissionValues({ proof, spending }: Admission) {
  return [...getSpendingValues(spending), proof?.row.id ?? null, proof?.row.expiresAt ?? null]
}

/** @throws ApiError `invalid_proof`, `too_many_requests` */
async function assertPassed(
  { services }: CeremonyContext,
  { spending }: Admission,
  { isAdmitted, until, ...places }: v.InferOutput<typeof admissionRow>,
): Promise<void> {
  const { now } = spending
  if (!isAdmitted) throw refuseProof('replay', now)
  await giveBack(services.query, spending, places)
  if (until !== null) throw new ApiError(tooManyRequests, { retryAfter: getWait(until, now) })
}

/** $6 and on: the ceremony. */
const STORE = `${getAdmission(SPENDING)}, stored as (
  insert into ceremonies (id, environment_id, kind, thumbprint, secret_hash, data, attempts, expires_at)
  select $6, $7, $8, $9, $10, $11::text::jsonb, 0, $12::bigint from passed
)
select ${ADMISSION_RESULT} from verdict`

const storeRows = v.tuple([admissionRow])

export type NewCode = Required<Omit<NewCeremony, 'userId'>>

/** Admits the request and stores a code. @throws ApiError `invalid_proof`, `too_many_requests` */
export async function storeCode(
  context: CeremonyContext,
  admission: Admission,
  { kind, thumbprint, lifetime, data, secretHash }: NewCode,
): Promise<{ readonly id: string; readonly expiresAt: number }> {
  const { services, environment } = context
  const id = randomUUID()
  const expiresAt = admission.spending.now + lifetime
  const ceremony = [id, environment.id, kind, thumbprint, secretHash(id), JSON.stringify(data), expiresAt]
  const rows = await services.query(STORE, [...getAdmissionValues(admission), ...ceremony])
  await assertPassed(context, admission, v.parse(storeRows, [...rows])[0])
  return { id, expiresAt }
}

/**
 * $6 and on: the ceremony, the hash and purpose of a right code, and the most tries. A right code ends the ceremony in
 * the update that counts the try, so of two requests with one code only one finds it right. The hash is keyed, so the
 * time of comparing it reveals nothing about a code.
 */
const TRIED = `, tried as (
  update ceremonies set
    attempts = attempts + 1,
    consumed_at = case when secret_hash = $10 and data ->> 'purpose' = $11 and attempts < $12::int then $3::bigint end
  where id = $6 and environment_id = $7 and kind = $8 and thumbprint = $9
    and consumed_at is null and expires_at > $3::bigint and exists (select from passed)
  returning attempts, consumed_at is not null as is_right, data
)`

const TRY_RESULT = `${ADMISSION_RESULT}, attempts, is_right as "isRight", data ->> 'address' as address`

const TRY = `${getAdmission(SPENDING)}${TRIED} select ${TRY_RESULT} from verdict left join tried on true`

/** $13 the network of the request, then the values of a sign-in. The mark in the ceremony is that of its own network. */
const TRY_TO_SIGN_IN = `${getAdmission(SPENDING_ONE)}${TRIED}, proved as (
  select data ->> 'address' as subject, case when data ->> 'network' = $13 then data ->> 'mark' end as mark
  from tried where is_right
), ${getSignInParts(13)}
select ${TRY_RESULT}, exists (select from proved where mark is not null) as "isRemembered",
  (select row_to_json(signed_in) from signed_in) as "signedIn"
from verdict left join tried on true`

const tryColumns = {
  ...admissionColumns,
  attempts: v.nullable(v.number()),
  isRight: v.nullable(v.boolean()),
  address: v.nullable(v.string()),
}
const tryRows = v.tuple([v.object(tryColumns)])
const signInRows = v.tuple([
  v.object({ ...tryColumns, isRemembered: v.boolean(), signedIn: v.nullable(signedInSchema) }),
])

export interface CodeTry extends CeremonyKey {
  readonly secretHash: string
  readonly purpose: string
  readonly mostTries: number
}

function getTryValues({ environment }: CeremonyContext, admission: Admission, codeTry: CodeTry) {
  const { id, kind, thumbprint, secretHash, purpose, mostTries } = codeTry
  return [...getAdmissionValues(admission), id, environment.id, kind, thumbprint, secretHash, purpose, mostTries]
}

interface Tried {
  /** Address of the code if it is right. */
  readonly address: string | undefined
  readonly isSpent: boolean
}

async function getOutcome(
  context: CeremonyContext,
  admission: Admission,
  { mostTries }: CodeTry,
  row: v.InferOutput<typeof tryRows>[0],
): Promise<Tried> {
  await assertPassed(context, admission, row)
  const { isRight, address, attempts } = row
  return { address: isRight && address !== null ? address : undefined, isSpent: (attempts ?? 0) > mostTries }
}

/** Admits the request and tries a code; a right one is used up. @throws ApiError `invalid_proof`, `too_many_requests` */
export async function tryCode(context: CeremonyContext, admission: Admission, codeTry: CodeTry): Promise<Tried> {
  const rows = await context.services.query(TRY, getTryValues(context, admission, codeTry))
  return getOutcome(context, admission, codeTry, v.parse(tryRows, [...rows])[0])
}

/**
 * Like {@link tryCode}, and signs in the user of a right code's address.
 * @returns also that user, if there is one, and whether this network is remembered as one of the address
 */
export async function tryToSignIn(
  call: Call,
  admission: Admission,
  codeTry: CodeTry,
  { start, method }: { readonly start: SessionStart; readonly method: ProvedMethod },
): Promise<Tried & { readonly known: KnownUser | undefined; readonly isRemembered: boolean }> {
  const network = call.services.limits.getNetworkId(call)
  const values = [...getTryValues(call, admission, codeTry), network, ...getSignInValues(call, method, start)]
  const [row] = v.parse(signInRows, [...(await call.services.query(TRY_TO_SIGN_IN, values))])
  const { isRemembered, signedIn } = row
  const known = signedIn ? toKnownUser(signedIn, start) : undefined
  return { ...(await getOutcome(call, admission, codeTry, row)), known, isRemembered }
}
