/**
 * Signs in a user who has the credential. One statement records the use, refuses a blocked user and begins the session:
 * most sign-ins need nothing else, and a process that is killed leaves all of it or none.
 */
import * as v from 'valibot'
import type { ActiveSession, Call } from '../http/call.js'
import { describePlace } from '../security-log/place.js'
import type { ProvedCredential } from './credentials.js'
import type { SessionStart } from './sessions.js'
import { selectUser, type UserRow, userRowSchema } from './user-row.js'

/** All parts of a statement read what was there before it, so the credential that signs in comes from its own part. */
const CREDENTIALS = `(
  select * from credentials where user_id = shown.id and id <> credential_id union all select * from used
) as part`

/** Time for which a mark is not written again: a write changes two indexes. */
const MARK_STEP_MS = 86_400_000

/**
 * $1 now, $2 environment, $3 to $6 credential, $7 to $12 session, $13 whether a second factor is demanded, $14 end of the
 * mark, $15 and $16 place. $13 is cast from text: the driver would send any text for a boolean as false.
 *
 * `owner` comes first and locks the user, so that a block, a merge or a deletion of the user comes before or after the
 * statement, never between its parts. Others lock users before credentials too, so there is no deadlock.
 */
const PARTS = `owner as (
  update users set last_sign_in_at = $1::bigint from credentials, proved
  where credentials.environment_id = $2 and method = $3 and provider = $4 and credentials.subject = proved.subject
    and users.id = user_id
  returning users.*, user_id, credentials.id as credential_id, blocked_at is not null as is_blocked
), used as (
  update credentials set
    last_used_at = $1::bigint,
    profile = coalesce($5::text::jsonb, profile),
    name = case when $5::text is null then name else $6::text end
  from owner where credentials.id = credential_id
  returning credentials.*
), begun as (
  insert into sessions (
    user_id, credential_id, id, environment_id, thumbprint, public_key, method, has_second_factor, auth_time, storage,
    user_agent, refresh_counter, created_at, last_used_at, expires_at
  )
  select
    user_id, credential_id, $7, $2, $8, $9::text::jsonb, $3, false, $1::bigint, $10,
    $11, 0, $1::bigint, $1::bigint, $12::bigint
  from owner
  where not is_blocked and not ($13::text::boolean and exists (
    select from mfa_devices where mfa_devices.user_id = owner.user_id and confirmed_at is not null
  ))
  returning id
), remembered as (
  insert into rate_limits (id, count, resets_at) select mark, 1, $14::bigint from proved
  where mark is not null
    and not exists (select from rate_limits where id = mark and resets_at > $14::bigint - ${MARK_STEP_MS})
  on conflict (id) do update set resets_at = excluded.resets_at
), signed_in as (
  select
    user_id as "userId", credential_id as "credentialId", is_blocked as "isBlocked",
    exists (select from begun) as "hasSession",
    exists (
      select from security_events
      where security_events.user_id = shown.user_id and kind = 'new-device' and device = $15 and network = $16
    ) as "isKnownDevice",
    ${selectUser(CREDENTIALS)} as "user"
  from owner as shown
)`

/**
 * Common table expressions that sign in, for a statement that defines `proved` before them: its row, if there is one, has
 * the `subject` of the credential and the `mark` to remember, or null. `signed_in` has a row if a user has the credential.
 * @param values number of the statement's values before those of {@link getSignInValues}
 */
export function getSignInParts(values: number): string {
  return PARTS.replace(/\$(\d+)/g, (_, place: string) => `$${values + Number(place)}`)
}

export type ProvedMethod = Omit<ProvedCredential, 'subject'>

export function getSignInValues(call: Call, { method, provider, profile, name }: ProvedMethod, start: SessionStart) {
  const { services, environment } = call
  const { id, thumbprint, publicKey, storage, userAgent, createdAt, expiresAt } = start
  const place = describePlace(call)
  return [
    // Names of a social account can change at the provider.
    ...[createdAt, environment.id, method, provider, profile ? JSON.stringify(profile) : null, name ?? null],
    ...[id, thumbprint, JSON.stringify(publicKey), storage, userAgent, expiresAt, String(environment.mfa.atSignIn)],
    ...[services.limits.getMarkEnd(), place.device, place.network],
  ]
}

/** Row of `signed_in`. */
export const signedInSchema = v.object({
  userId: v.string(),
  credentialId: v.string(),
  isBlocked: v.boolean(),
  hasSession: v.boolean(),
  isKnownDevice: v.boolean(),
  user: userRowSchema,
})

export interface KnownUser {
  readonly userId: string
  readonly credentialId: string
  readonly isBlocked: boolean
  /** Undefined for a blocked user, and if the environment demands a second factor that the user has. */
  readonly session: ActiveSession | undefined
  /** True if the security log has this device at this network. */
  readonly isKnownDevice: boolean
  readonly user: UserRow
}

export function toKnownUser(
  { hasSession, ...known }: v.InferOutput<typeof signedInSchema>,
  start: SessionStart,
): KnownUser {
  const { userId, credentialId } = known
  return { ...known, session: hasSession ? { ...start, userId, credentialId } : undefined }
}

const SIGN_IN = `with proved as (select $1::text as subject, $2::text as mark), ${getSignInParts(2)} select * from signed_in`
const signInRows = v.array(signedInSchema)

/**
 * Returns undefined, and begins nothing, if no user has the credential.
 * @param mark ID of the mark of this network, for the owner of an address
 */
export async function signInKnownUser(
  call: Call,
  { subject, ...proved }: ProvedCredential,
  start: SessionStart,
  mark: string | undefined,
): Promise<KnownUser | undefined> {
  const values = [subject, mark ?? null, ...getSignInValues(call, proved, start)]
  const [row] = v.parse(signInRows, await call.services.query(SIGN_IN, values))
  return row && toKnownUser(row, start)
}
