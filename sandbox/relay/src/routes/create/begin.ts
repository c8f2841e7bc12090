/** Wallet creation, trip 1 of 3: commitments of both sides. */
import { codecs, dkgStart, encode, entropyStart } from '@keybay/waas/mpc'
import * as v from 'valibot'
import { authorizeKey } from '../../authority/authorize.js'
import { chainName as chainField, getCurve } from '../../ceremonies/chain.js'
import { answered, askPeer, CEREMONY_LIFETIME, once } from '../../ceremonies/flow.js'
import { primaryPlan } from '../../ceremonies/plan.js'
import { sha256 } from '../../crypto/jwk.js'
import { RelayError } from '../../http/errors.js'
import { base64url, deviceKey, exactBytes, messages, scheme, time, toText, uuid } from '../../http/fields.js'
import { parse, route } from '../../http/route.js'
import { authorityErrors, checkRoom, creationOperation, isSeeded, isWithPeer } from './creation.js'

export const begin = route({
  path: '/wallets/create/begin',
  summary: 'Trip 1 of 3: commitments of both sides.',
  body: v.strictObject({
    ceremonyId: uuid,
    walletId: uuid,
    setId: uuid,
    chainName: chainField,
    scheme,
    exportable: v.boolean(),
    deviceKey,
    sealingKey: exactBytes(32),
    commitments: messages(3),
    first: v.optional(v.pipe(v.literal(true), v.description('Creates the wallet only if the user has none'))),
  }),
  answer: v.object({ commitments: v.array(base64url), expiresAt: time }),
  errors: [
    ...authorityErrors,
    'embedded_wallets_disabled',
    'replica_required',
    'wallet_exists',
    'too_many_embedded_wallets_for_user',
    'too_many_requests',
  ],
  run: async (call, { body }) => {
    const { services, environment } = call
    const { ceremonyId, walletId, setId, chainName, scheme, exportable, first } = body
    // Such a key is its own scalar and can always be exported, so the relay promises nothing else.
    if (chainName !== 'SOL' && !exportable) throw new RelayError('invalid_request', { reason: 'exportable' })
    const authority = await authorizeKey(call, body.deviceKey, creationOperation(chainName, scheme, exportable), body)
    const { userId } = authority.session
    const key = { id: ceremonyId, environmentId: environment.id, userId, kind: 'create' as const }
    const before = await services.ceremonies.find(key)
    const repeat = await answered(call, authority, before, 'begun')
    if (repeat) return parse('answer', answerSchema, repeat)
    if (before) throw new RelayError('ceremony_state')
    await checkRoom(call, authority, body)
    if (await services.wallets.exists(walletId)) throw new RelayError('wallet_exists')
    const plan = primaryPlan(body, 0, scheme, getCurve(chainName))
    const started = isSeeded(body)
      ? ofEntropy(entropyStart(plan, services.party))
      : ofDkg(dkgStart(plan, services.party))
    const peers = isWithPeer(call, plan) ? (await askPeer(call, commitmentsAnswer)).commitments : []
    const expiresAt = services.clock.now() + CEREMONY_LIFETIME
    const answer = { commitments: [started.message, ...peers], expiresAt }
    const sealingKey = toText(body.sealingKey)
    const facts = { chainName, scheme, exportable, walletId, setId, sealingKey, ...(first && { first }) }
    await once(call, authority, tx =>
      services.ceremonies.begin(
        tx,
        {
          ...key,
          walletId,
          setId,
          deviceKey: body.deviceKey,
          step: 'begun',
          bodyHash: sha256(call.rawBody),
          answer: JSON.stringify(answer),
          facts,
          expiresAt,
        },
        started.state,
      ),
    )
    return answer
  },
})
const commitmentsAnswer = v.object({ commitments: v.array(v.string()) })
const answerSchema = v.object({ commitments: v.array(v.string()), expiresAt: v.number() })

function ofDkg({ state, message }: ReturnType<typeof dkgStart>) {
  return { state: encode(codecs.dkgStarted, state), message: toText(encode(codecs.dkgCommitment, message)) }
}

function ofEntropy({ state, message }: ReturnType<typeof entropyStart>) {
  return { state: encode(codecs.entropyState, state), message: toText(encode(codecs.entropyCommitment, message)) }
}
