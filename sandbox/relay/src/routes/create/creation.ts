/** Shared by the three trips of a creation: its facts, the caller's authority, and the wallet limit. */
import type { SetPlan } from '@keybay/waas/mpc'
import * as v from 'valibot'
import { type Authority, authorizeKey } from '../../authority/authorize.js'
import { type Operation, operationHash, verifyToken } from '../../authority/session.js'
import { chainName, getCurve } from '../../ceremonies/chain.js'
import { boxField } from '../../ceremonies/messages.js'
import { primaryPlan } from '../../ceremonies/plan.js'
import { assertReplica, assertRoom, mostWallets } from '../../ceremonies/room.js'
import { publicJwk } from '../../crypto/jwk.js'
import { scheme } from '../../http/fields.js'
import type { Call } from '../../http/route.js'
import type { CeremonyRow } from '../../store/ceremonies.js'

export const authorityErrors = ['unauthorized', 'invalid_session_signature', 'invalid_device_signature'] as const

/** Facts stored next to the state; public. */
const factsSchema = v.object({
  chainName,
  scheme,
  exportable: v.boolean(),
  walletId: v.string(),
  setId: v.string(),
  sealingKey: v.string(),
  /** True if the wallet is only created for a user who has none. */
  first: v.optional(v.literal(true)),
  /** Boxes that the relays deal to each other. */
  boxes: v.optional(v.array(boxField), []),
})
export type CreationFacts = v.InferOutput<typeof factsSchema>

export function creationOperation(chainName: string, scheme: string, exportable: boolean): Operation {
  return { op: 'createWalletAccount', hash: operationHash('createWalletAccount', chainName, scheme, exportable) }
}

/**
 * Returns true when the key is dealt from a seed of both sides' entropy.
 * Only Solana keys have seeds; all parties together generate the others.
 */
export function isSeeded({ chainName, exportable }: Pick<CreationFacts, 'chainName' | 'exportable'>): boolean {
  return exportable && chainName === 'SOL'
}

/** Checks that the user may have another wallet, and of this scheme. @throws RelayError */
export async function checkRoom(
  call: Call,
  { session }: Authority,
  wanted: Pick<CreationFacts, 'scheme' | 'first'>,
): Promise<void> {
  const { services, environment } = call
  await services.limits.hit('creations per user', `${environment.id} ${session.userId}`)
  await assertRoom(call, { userId: session.userId, most: await mostWallets(call), first: wanted.first })
  await assertReplica(call, wanted.scheme)
}

/** Returns true when R1 must also call R2. */
export function isWithPeer({ services }: Call, { parties }: Pick<SetPlan, 'parties'>): boolean {
  return services.party === 'R1' && parties.includes('R2')
}

function getFacts(row: CeremonyRow): CreationFacts {
  return v.parse(factsSchema, row.facts)
}

/** Loads a ceremony that the caller began, and authorises its next step. */
export async function goOn(call: Call, ceremonyId: string) {
  const { services, environment } = call
  // The session signature is checked against the ceremony's operation, so the token identifies the caller first.
  const { userId } = await verifyToken(call)
  const row = await services.ceremonies.get({ id: ceremonyId, environmentId: environment.id, userId, kind: 'create' })
  const facts = getFacts(row)
  const operation = creationOperation(facts.chainName, facts.scheme, facts.exportable)
  const authority = await authorizeKey(call, v.parse(publicJwk, row.deviceKey), operation, row)
  const plan = primaryPlan({ ...row, ceremonyId }, 0, facts.scheme, getCurve(facts.chainName))
  return { row, facts, authority, plan }
}
