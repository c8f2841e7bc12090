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

const EXPORT_TYP = 'keybay-export+jwt'
const exportSchema = v.object({
  iss: v.literal('R1'),
  env: v.string(),
  sub: v.string(),
  address: v.pipe(v.string(), v.minLength(1), v.maxLength(128)),
  /** ID of the report: a repeat is the same event. */
  jti: v.pipe(v.string(), v.uuid()),
})

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
  const record = await readSigned(services, environment, { text, typ: TYP, claims: claimsSchema })
  if (record.kind !== 'primary') throw refuseRecord('kind')
  return record
}

/** @throws ApiError `invalid_wallet_record` for a report that R1 did not sign, or for another environment */
export function readExportReport(services: Services, environment: Environment, text: string) {
  return readSigned(services, environment, { text, typ: EXPORT_TYP, claims: exportSchema })
}

interface Signed<C> {
  readonly text: string
  readonly typ: string
  readonly claims: v.GenericSchema<unknown, C>
}

async function readSigned<C extends { readonly env: string }>(
  services: Services,
  environment: Environment,
  { text, typ, claims }: Signed<C>,
): Promise<C> {
  const jws = readJws(text)
  if (!jws) throw refuseRecord('signature')
  const jwk = await pinnedKey(services, environment, jws)
  if (!jwk) throw refuseRecord('key')
  if (!jws.verifiedBy(services.importKey(jwk).key, typ)) throw refuseRecord('signature')
  const parsed = v.safeParse(claims, jws.payload)
  if (!parsed.success) throw refuseRecord('claims')
  if (parsed.output.env !== environment.id) throw refuseRecord('environment')
  return parsed.output
}

async function pinnedKey(services: Services, environment: Environment, { kid }: Jws): Promise<PublicJwk | undefined> {
  const keys = environment.embeddedWallets.recordKeys ?? (await services.recordKeys(kid))
  return keys.find(jwk => getThumbprint(jwk) === kid)
}
