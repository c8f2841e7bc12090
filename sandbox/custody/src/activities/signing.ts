/** Signatures: transactions and raw payloads. */
import * as v from 'valibot'
import { CustodyError, signingFailed } from '../http/errors.js'
import { ENCODINGS, HASHES, signEthereum, signPayload, signSolana } from '../keys/sign.js'
import { type ActivityKind, kind, type Running, type Subject } from './kind.js'
import { getSigner } from './signers.js'

const signWith = v.pipe(v.string(), v.minLength(1), v.maxLength(256))
const payload = v.pipe(v.string(), v.maxLength(65_536))
const how = { encoding: v.picklist(ENCODINGS), hashFunction: v.picklist(HASHES) }

async function subject(running: Running, params: { readonly signWith: string }): Promise<Subject> {
  return (await getSigner(running, params.signWith)).subject
}

export const signingKinds: readonly ActivityKind[] = [
  kind({
    path: 'sign_transaction',
    versions: ['V2', ''],
    action: 'SIGN',
    resource: 'WALLET',
    needs: 'key',
    parameters: v.strictObject({
      signWith,
      unsignedTransaction: payload,
      type: v.picklist(['TRANSACTION_TYPE_SOLANA', 'TRANSACTION_TYPE_ETHEREUM']),
    }),
    subject,
    run: async (running, { signWith, unsignedTransaction, type }) => {
      const signer = await getSigner(running, signWith)
      const isSolana = type === 'TRANSACTION_TYPE_SOLANA'
      if (isSolana !== (signer.curve === 'CURVE_ED25519'))
        throw new CustodyError(signingFailed, { reason: 'the account is on another curve' })
      const signedTransaction = await signer.withKey(key =>
        isSolana ? signSolana(key, signer.publicKey, unsignedTransaction) : signEthereum(key, unsignedTransaction),
      )
      return { signedTransaction }
    },
  }),
  kind({
    path: 'sign_raw_payload',
    versions: ['V2', ''],
    action: 'SIGN',
    resource: 'WALLET',
    needs: 'key',
    parameters: v.strictObject({ signWith, payload, ...how }),
    subject,
    run: async (running, { signWith, ...rest }) => {
      const signer = await getSigner(running, signWith)
      return { ...(await signer.withKey(key => signPayload(signer.curve, key, rest))) }
    },
  }),
  kind({
    path: 'sign_raw_payloads',
    action: 'SIGN',
    resource: 'WALLET',
    needs: 'key',
    parameters: v.strictObject({
      signWith,
      payloads: v.pipe(v.array(payload), v.minLength(1), v.maxLength(64)),
      ...how,
    }),
    cost: ({ payloads }) => ({ signatures: payloads.length }),
    subject,
    run: async (running, { signWith, payloads, ...rest }) => {
      const signer = await getSigner(running, signWith)
      const signatures = await signer.withKey(key =>
        payloads.map(payload => ({ ...signPayload(signer.curve, key, { payload, ...rest }) })),
      )
      return { signatures }
    },
  }),
]
