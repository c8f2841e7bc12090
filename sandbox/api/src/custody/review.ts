/** Reads a whole activity before the approver agrees to it: its type, its parameters, and the user who began it. */
import * as v from 'valibot'
import { AGREEMENTS, type Agreement } from './agreements.js'
import type { CustodyUser } from './approver-keys.js'

/** Activity as custody returns it. No field is trusted. */
export interface Reviewed {
  readonly type: string
  readonly intent: object
  readonly votes: readonly { readonly userId: string; readonly selection: string; readonly scheme: string }[]
}
export interface Parties {
  readonly ownerId: string | undefined
  readonly guard: CustodyUser
}
export type Refusal = 'type' | 'initiator' | 'stamp' | 'guard' | 'parameters'
export type Review = { readonly demand: Agreement['demand'] } | { readonly refusal: Refusal }

const BY_PASSKEY = 'SIGNATURE_SCHEME_TK_WEB_AUTHN'

export function review({ type, intent, votes }: Reviewed, { ownerId, guard }: Parties): Review {
  const agreement = Object.hasOwn(AGREEMENTS, type) ? AGREEMENTS[type] : undefined
  if (!agreement) return { refusal: 'type' }
  const isOwners = votes.every(({ userId, selection }) => userId === ownerId && selection === 'VOTE_SELECTION_APPROVED')
  if (ownerId === undefined || ownerId === guard.userId || votes.length === 0 || !isOwners)
    return { refusal: 'initiator' }
  if (!agreement.bySessionKey && !votes.every(({ scheme }) => scheme === BY_PASSKEY)) return { refusal: 'stamp' }
  if (isNamed(getNames(guard), intent)) return { refusal: 'guard' }
  const schema = v.strictObject({ [agreement.intent]: agreement.fields(ownerId) })
  return v.is(schema, intent) ? { demand: agreement.demand } : { refusal: 'parameters' }
}

/** Returns every ID and key by which an activity could mean the approver's user. */
function getNames({ userId, apiKeys, authenticators, userTags }: CustodyUser): readonly string[] {
  const keys = apiKeys.flatMap(({ apiKeyId, credential }) => [apiKeyId, credential.publicKey])
  const passkeys = authenticators.flatMap(({ authenticatorId, credentialId }) => [authenticatorId, credentialId])
  return [userId, ...keys, ...passkeys, ...userTags].filter(name => name !== '').map(name => name.toLowerCase())
}

/** Searches every string and every field name for one of the names, at any depth. */
function isNamed(names: readonly string[], value: unknown): boolean {
  if (typeof value === 'string') return names.some(name => value.toLowerCase().includes(name))
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(([field, part]) => isNamed(names, field) || isNamed(names, part))
}
