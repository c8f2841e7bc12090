/** Key import: dealt by the frame; the address stays. One round trip. */
import * as v from 'valibot'
import { authorizeKey } from '../authority/authorize.js'
import { operationHash } from '../authority/session.js'
import { finishCreation, finishedAnswer, finishedStep, reportErrors, shownAnswer } from '../ceremonies/finish.js'
import { answered, CEREMONY_LIFETIME } from '../ceremonies/flow.js'
import { asBadShare } from '../ceremonies/messages.js'
import { primaryPlan } from '../ceremonies/plan.js'
import { proofs } from '../ceremonies/proofs.js'
import { sha256 } from '../crypto/jwk.js'
import { RelayError } from '../http/errors.js'
import { bytes, deviceKey, exactBytes, scheme, subShares, uuid } from '../http/fields.js'
import { route } from '../http/route.js'
import { checkRoom } from './create/creation.js'
import { acceptCreated } from './create/finish.js'

export const importRoute = route({
  path: '/wallets/import',
  summary: 'A wallet of a key that the frame dealt.',
  body: v.strictObject({
    ceremonyId: uuid,
    walletId: uuid,
    setId: uuid,
    chainName: v.literal('SOL'),
    scheme,
    deviceKey,
    package: bytes(1024),
    subShares,
    transcript: exactBytes(32),
    proofs,
  }),
  answer: finishedAnswer,
  errors: [
    'unauthorized',
    'invalid_session_signature',
    'invalid_device_signature',
    'embedded_wallets_disabled',
    'replica_required',
    'bad_share',
    'transcript_mismatch',
    ...reportErrors,
    'wallet_exists',
    'too_many_embedded_wallets_for_user',
    'too_many_requests',
  ],
  run: async (call, { body }) => {
    const { services, environment } = call
    const { ceremonyId, walletId, setId, chainName, scheme, deviceKey, transcript } = body
    const operation = { op: 'importPrivateKey', hash: operationHash('importPrivateKey', chainName, scheme) }
    const authority = await authorizeKey(call, deviceKey, operation, body)
    const { userId } = authority.session
    const key = { id: ceremonyId, environmentId: environment.id, userId, kind: 'create' as const }
    const before = await services.ceremonies.find(key)
    const repeat = await answered(call, authority, before, finishedStep(call))
    if (repeat) return shownAnswer(call, walletId, repeat)
    if (before) throw new RelayError('ceremony_state')
    await checkRoom(call, authority, body)
    if (await services.wallets.exists(walletId)) throw new RelayError('wallet_exists')
    try {
      const made = acceptCreated(call, primaryPlan(body, 0, scheme), body.package, body.subShares)
      return await finishCreation(call, {
        ...made,
        origin: 'imported',
        authority,
        chainName,
        scheme,
        deviceKey,
        transcript,
        proofs: body.proofs,
        toPeer: {},
        key,
        expiresAt: services.clock.now() + CEREMONY_LIFETIME,
        save: (tx, values, state) => {
          const row = { ...key, walletId, setId, deviceKey, ...values, bodyHash: sha256(call.rawBody) }
          return services.ceremonies.begin(tx, row, state)
        },
      })
    } catch (error) {
      throw asBadShare(error)
    }
  },
})
