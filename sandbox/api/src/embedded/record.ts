/** Reads R1's signed record of an embedded wallet, with the keys that the operator pinned. */
import { CHAINS } from '@keybay/kernel/spec'
import * as v from 'valibot'
import type { Environment } from '../environments.js'
import { ApiError, invalidWalletRecord } from '../http/errors.js'
import { getThumbprint, type Jws, type PublicJwk, readJws } from '../security/jws.js'
import type { Services } from '../services.js'

const TYP = 'keybay-record+jwt'
const MAX_EPOCH = 2 ** 31 - 1

/** Claims that this service uses; the other claims describe the shares. */
const claimsSchema = v.object({
  iss: v.literal('R1'),
  env: v.string(),
  sub: v.string(),
  wallet: v.pipe(v.string(), v.uuid()),
  address: v.pipe(v.string(), v.minLength(1), v.maxLength(128)),
  chain: v.picklist(CHAINS),
  set: v.pipe(v.string(), v.uuid()),
  kind: v.picklist(['primary', 'device', 'delegate']),
  epoch: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(MAX_EPOCH)),
  /** `withdrawn`: the wallet was reported but never created. */
  status: v.picklist(['active', 'withdrawn']),
  /** In seconds since epoch. */
  iat: v.pipe(v.number(), v.integer(), v.minValue(0)),
})
export type WalletRecord = v.InferOutput<typeof claimsSchema>

export type RecordFault =
  | 'key'
  | 'signature'
  | 'claims'
  | 'environment'
  | 'kind'
  | 'user'
  | 'wallet'
  | 'replay'
  | 'withdrawn'

export function refuseRecord(reason: RecordFault): ApiError {
  return new ApiError(invalidWalletRecord, { reason })
}

/** @throws ApiError `invalid_wallet_record` for a record that R1 did not sign, for another environment, or of an additional set */
export async function readWalletRecord(services: Services, environment: Environment, text: string) {
  const jws = readJws(text)
  if (!jws) throw refuseRecord('signature')
  const jwk = await pinnedKey(services, environment, jws)
  if (!jwk) throw refuseRecord('key')
  if (!jws.verifiedBy(services.importKey(jwk).key, TYP)) throw refuseRecord('signature')
  const parsed = v.safeParse(claimsSchema, jws.payload)
  if (!parsed.success) throw refuseRecord('claims')
  const record = parsed.output
  if (record.env !== environment.id) throw refuseRecord('environment')
  if (record.kind !== 'primary') throw refuseRecord('kind')
  return record
}

async function pinnedKey(services: Services, environment: Environment, { kid }: Jws): Promise<PublicJwk | undefined> {
  const keys = environment.embeddedWallets.recordKeys ?? (await services.recordKeys(kid))
  return keys.find(jwk => getThumbprint(jwk) === kid)
}
