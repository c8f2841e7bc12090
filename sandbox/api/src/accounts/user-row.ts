/** Reads a user, with everything that the view of a user shows, as one JSON value of a statement. */
import { AUTHENTICATION_METHODS, CHAINS, MFA_METHODS } from '@keybay/kernel/spec'
import * as v from 'valibot'

export const socialProfileSchema = v.object({
  id: v.string(),
  username: v.optional(v.string()),
  name: v.optional(v.string()),
  email: v.optional(v.string()),
  emailVerified: v.pipe(v.boolean(), v.description('The provider says that the address is the user’s')),
  picture: v.optional(v.string()),
})

const credential = {
  id: v.string(),
  method: v.picklist(AUTHENTICATION_METHODS),
  provider: v.string(),
  subject: v.string(),
  name: v.nullable(v.string()),
  profile: v.nullable(socialProfileSchema),
  createdAt: v.number(),
  lastUsedAt: v.number(),
}
const embeddedWallet = {
  id: v.string(),
  chain: v.picklist(CHAINS),
  address: v.string(),
  name: v.nullable(v.string()),
  createdAt: v.number(),
}
const mfaDevice = { id: v.string(), method: v.picklist(MFA_METHODS), name: v.string(), createdAt: v.number() }
const user = {
  id: v.string(),
  username: v.nullable(v.string()),
  metadata: v.record(v.string(), v.unknown()),
  createdAt: v.number(),
  lastSignInAt: v.number(),
  deletesAt: v.nullable(v.number()),
}

/** Sorts here, because PostgreSQL prepares a sort for each list of every user, however short. */
function sortByAge<T extends { readonly id: string; readonly createdAt: number }>(rows: readonly T[]): readonly T[] {
  return rows.toSorted((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1))
}

export const userRowSchema = v.object({
  ...user,
  credentials: v.pipe(v.array(v.object(credential)), v.transform(sortByAge)),
  embeddedWallets: v.pipe(v.array(v.object(embeddedWallet)), v.transform(sortByAge)),
  mfaDevices: v.pipe(v.array(v.object(mfaDevice)), v.transform(sortByAge)),
  recoveryCodes: v.number(),
})
export type UserRow = v.InferOutput<typeof userRowSchema>

/** Lists columns as arguments of `json_build_object`. */
function listColumns(relation: string, columns: object): string {
  const toColumn = (name: string) => name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)
  return Object.keys(columns)
    .map(name => `'${name}', ${relation}.${toColumn(name)}`)
    .join(', ')
}

function selectArray(from: string, columns: object): string {
  return `(select coalesce(json_agg(json_build_object(${listColumns('part', columns)})), '[]') from ${from})`
}

/**
 * Returns an SQL expression that reads the row `shown` of `users` as {@link userRowSchema}.
 * @param credentials rows `part` of the user's credentials, for a statement that changes one
 */
export function selectUser(credentials = 'credentials as part where user_id = shown.id'): string {
  const wallets = "embedded_wallets as part where user_id = shown.id and status = 'active'"
  const devices = 'mfa_devices as part where user_id = shown.id and confirmed_at is not null'
  return `json_build_object(
    ${listColumns('shown', user)},
    'credentials', ${selectArray(credentials, credential)},
    'embeddedWallets', ${selectArray(wallets, embeddedWallet)},
    'mfaDevices', ${selectArray(devices, mfaDevice)},
    'recoveryCodes', (select count(*) from recovery_codes where user_id = shown.id and used_at is null)
  )`
}
