/**
 * Signs in a user who has the credential. One statement records the use, refuses a blocked user and begins the session:
 * most sign-ins need nothing else, and a process that is killed leaves all of it or none.
 */
import * as v from 'valibot'
import type { ActiveSession, Call } from '../http/call.js'
import type { Mark } from '../security/rate-limits.js'
import type { Place } from '../security-log/place.js'
import type { ProvedCredential } from './credentials.js'
import type { SessionStart } from './sessions.js'
import { selectUser, type UserRow, userRowSchema } from './user-row.js'

/** All parts of a statement read what was there before it, so the credential that signs in comes from its own part. */
const CREDENTIALS = `(
  select * from credentials where user_id = shown.id and id <> credential_id union all select * from used
) as part`

/**
 * $1 now, $2 environment, $3 to $7 credential, $8 to $13 session, $14 whether a second factor is demanded, $15 and $16
 * mark, $17 and $18 place. $14 is cast from text: the driver would send any text for a boolean as false.
 *
 * `owner` comes first and locks the user, so that a block, a merge or a deletion of the user comes before or after the
 * statement, never between its parts. Others lock users before credentials too, so there is no deadlock.
 */
const SIGN_IN = `
with owner as (
  update users set last_sign_in_at = $1::bigint from credentials
  where credentials.environment_id = $2 and method = $3 and provider = $4 and subject = $5 and users.id = user_id
  returning users.*, user_id, credentials.id as credential_id, blocked_at is not null as is_blocked
), used as (
  update credentials set
    last_used_at = $1::bigint,
    profile = coalesce($6::text::jsonb, profile),
    name = case when $6::text is null then name else $7::text end
  from owner where credentials.id = credential_id
  returning credentials.*
), begun as (
  insert into sessions (
    user_id, credential_id, id, environment_id, thumbprint, public_key, method, has_second_factor, auth_time, storage,
    user_agent, refresh_counter, created_at, last_used_at, expires_at
  )
  select
    user_id, credential_id, $8, $2, $9, $10::text::jsonb, $3, false, $1::bigint, $11,
    $12, 0, $1::bigint, $1::bigint, $13::bigint
  from owner
  where not is_blocked and not ($14::text::boolean and exists (
    select from mfa_devices where mfa_devices.user_id = owner.user_id and confirmed_at is not null
  ))
  returning id
), remembered as (
  insert into rate_limits (id, count, resets_at) select $15::text, 1, $16::bigint where $15::text is not null
  on conflict (id) do update set resets_at = excluded.resets_at
)
select
  user_id as "userId", credential_id as "credentialId", is_blocked as "isBlocked",
  exists (select from begun) as "hasSession",
  exists (
    select from security_events
    where security_events.user_id = shown.user_id and kind = 'new-device' and device = $17 and network = $18
  ) as "isKnownDevice",
  ${selectUser(CREDENTIALS)} as "user"
from owner as shown`

const rows = v.array(
  v.object({
    userId: v.string(),
    credentialId: v.string(),
    isBlocked: v.boolean(),
    hasSession: v.boolean(),
    isKnownDevice: v.boolean(),
    user: userRowSchema,
  }),
)

interface KnownSignIn {
  readonly proved: ProvedCredential
  readonly start: SessionStart
  /** Mark of the network where the owner of the address signs in. */
  readonly mark: Mark | undefined
  readonly place: Place
}

export interface KnownUser {
  readonly userId: string
  readonly credentialId: string
  readonly isBlocked: boolean
  /** Undefined for a blocked user, and if the environment demands a second factor that the user has. */
  readonly session: ActiveSession | undefined
  /** Whether the security log has this device at this network. */
  readonly isKnownDevice: boolean
  readonly user: UserRow
}

/** Returns undefined, and begins nothing, if no user has the credential. */
export async function signInKnownUser(
  { services, environment }: Call,
  { proved, start, mark, place }: KnownSignIn,
): Promise<KnownUser | undefined> {
  const { method, provider, subject, profile, name } = proved
  const { id, thumbprint, publicKey, storage, userAgent, createdAt, expiresAt } = start
  const found = await services.query(SIGN_IN, [
    ...[createdAt, environment.id],
    // Names of a social account can change at the provider.
    ...[method, provider, subject, profile ? JSON.stringify(profile) : null, name ?? null],
    ...[id, thumbprint, JSON.stringify(publicKey), storage, userAgent, expiresAt, String(environment.mfa.atSignIn)],
    ...[mark?.id ?? null, mark?.resetsAt ?? null, place.device, place.network],
  ])
  const [row] = v.parse(rows, found)
  if (!row) return undefined
  const { hasSession, ...known } = row
  const { userId, credentialId } = known
  return { ...known, session: hasSession ? { ...start, userId, credentialId } : undefined }
}
