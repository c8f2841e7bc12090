/** Signatures: transactions and raw payloads. */
import * as v from 'valibot'
import { CustodyError, signingFailed } from '../http/errors.js'
import type { Curve } from '../keys/derive.js'
import { ENCODINGS, HASHES, type SigningKey, signEthereum, signPayload, signSolana } from '../keys/sign.js'
import type { Cost } from '../limits.js'
import type { JsonObject } from '../protocol.js'
import { type ActivityKind, getSigner, kind } from './kind.js'

const signWith = v.pipe(v.string(), v.minLength(1), v.maxLength(256))
const payload = v.pipe(v.string(), v.maxLength(65_536))
const how = { encoding: v.picklist(ENCODINGS), hashFunction: v.picklist(HASHES) }

function signing<S extends v.GenericSchema<unknown, { readonly signWith: string }>>({
  sign,
  ...definition
}: {
  readonly path: string
  readonly versions?: readonly string[]
  readonly parameters: S
  readonly cost?: (parameters: v.InferOutput<S>) => Cost
  /** @throws CustodyError for bytes that the key cannot sign */
  readonly sign: (key: SigningKey, curve: Curve, parameters: v.InferOutput<S>) => JsonObject
}): ActivityKind {
  return kind({
    ...definition,
    action: 'SIGN',
    resource: 'WALLET',
    needs: 'key',
    writesNothing: true,
    keyName: parameters => parameters.signWith,
    run: async (running, parameters) => {
      const { curve, publicKey, withKey } = getSigner(running)
      return withKey(privateKey => sign({ privateKey, publicKey }, curve, parameters))
    },
  })
}

export const signingKinds: readonly ActivityKind[] = [
  signing({
    path: 'sign_transaction',
    versions: ['V2', ''],
    parameters: v.strictObject({
      signWith,
      unsignedTransaction: payload,
      type: v.picklist(['TRANSACTION_TYPE_SOLANA', 'TRANSACTION_TYPE_ETHEREUM']),
    }),
    sign: (key, curve, { unsignedTransaction, type }) => {
      const isSolana = type === 'TRANSACTION_TYPE_SOLANA'
      if (isSolana !== (curve === 'CURVE_ED25519'))
        throw new CustodyError(signingFailed, { reason: 'the account is on another curve' })
      const signedTransaction = isSolana ? signSolana(key, unsignedTransaction) : signEthereum(key, unsignedTransaction)
      return { signedTransaction }
    },
  }),
  signing({
    path: 'sign_raw_payload',
    versions: ['V2', ''],
    parameters: v.strictObject({ signWith, payload, ...how }),
    sign: (key, curve, parameters) => ({ ...signPayload(curve, key, parameters) }),
  }),
  signing({
    path: 'sign_raw_payloads',
    parameters: v.strictObject({
      signWith,
      payloads: v.pipe(v.array(payload), v.minLength(1), v.maxLength(64)),
      ...how,
    }),
    cost: ({ payloads }) => ({ signatures: payloads.length }),
    sign: (key, curve, { payloads, ...rest }) => ({
      signatures: payloads.map(payload => ({ ...signPayload(curve, key, { payload, ...rest }) })),
    }),
  }),
]
