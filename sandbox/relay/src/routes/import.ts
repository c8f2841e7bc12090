/** Key import: dealt by the frame; the address stays. One round trip. */
import * as v from 'valibot'
import { authorizeKey } from '../authority/authorize.js'
import { operationHash } from '../authority/session.js'
import { finishCreation, finishedAnswer, finishedStep, reportErrors, shownAnswer } from '../ceremonies/finish.js'
import { answered, CEREMONY_LIFETIME } from '../ceremonies/flow.js'
import { asBadShare } from '../ceremonies/messages.js'
import { primaryPlan } from '../ceremonies/plan.js'
import { sha256 } from '../crypto/jwk.js'
import {
  badShare,
  ceremonyState,
  embeddedWalletsDisabled,
  invalidDeviceSignature,
  invalidSessionSignature,
  RelayError,
  tooManyEmbeddedWalletsForUser,
  tooManyRequests,
  transcriptMismatch,
  unauthorized,
  walletExists,
} from '../http/errors.js'
import { bytes, deviceKey, exactBytes, scheme, subShares, uuid } from '../http/fields.js'
import { type Route, route } from '../http/route.js'
import { acceptCreated, checkRoom } from './create/index.js'

const importKey = route(
  {
    path: '/wallets/import',
    summary: 'A wallet of a key that the frame dealt.',
    access: 'device',
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
    }),
    answer: finishedAnswer,
    errors: [
      unauthorized,
      invalidSessionSignature,
      invalidDeviceSignature,
      embeddedWalletsDisabled,
      badShare,
      transcriptMismatch,
      ...reportErrors,
      walletExists,
      tooManyEmbeddedWalletsForUser,
      tooManyRequests,
    ],
  },
  async (call, { body }) => {
    const { services, environment } = call
    const { ceremonyId, walletId, setId, chainName, scheme, deviceKey, transcript } = body
    const operation = { op: 'importPrivateKey', hash: operationHash('importPrivateKey', chainName, scheme) }
    const authority = await authorizeKey(call, deviceKey, operation, body)
    const { userId } = authority.session
    const key = { id: ceremonyId, environmentId: environment.id, userId, kind: 'create' as const }
    const before = await services.ceremonies.find(key)
    const repeat = await answered(call, authority, before, finishedStep(call))
    if (repeat) return shownAnswer(call, walletId, repeat)
    if (before) throw new RelayError(ceremonyState)
    await checkRoom(call, authority)
    if (await services.wallets.exists(walletId)) throw new RelayError(walletExists)
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
)

export const importRoutes: readonly Route[] = [importKey]
