/** Changes a set without a ceremony: its revocation, and its policy. */
import { onRevoke, onSetPolicy } from '@keybay/waas/mpc'
import * as v from 'valibot'
import { auditEntry, setErrors } from '../authority/authorize.js'
import { namedSet } from '../authority/device.js'
import { demandMfa } from '../authority/mfa.js'
import { namedOperation, type Operation, operationHash } from '../authority/session.js'
import { chainOf } from '../ceremonies/chain.js'
import { allow, describeSet } from '../ceremonies/decide.js'
import { askPeer } from '../ceremonies/flow.js'
import { signChange } from '../ceremonies/history.js'
import { deliver, demandWitness } from '../ceremonies/witness.js'
import { RelayError } from '../http/errors.js'
import { uuid } from '../http/fields.js'
import { type Call, LARGE_BODY_BYTES, type Route, route } from '../http/route.js'
import { isOpen, isSoundGrant, isWithin, type Policy, policySchema } from '../policy/index.js'
import type { SetRow, Transaction } from '../store/sets.js'
import { getPublicSet } from '../store/shares.js'
import { walletSchema } from '../store/wallets.js'
import { authorizeOver } from './authorize-over.js'
import { revokeWaiting } from './reshare/waiting.js'

const params = v.object({ walletId: uuid, setId: uuid })
const fromPeer = v.object({ done: v.boolean() })
const answer = v.union([v.object({ wallet: walletSchema }), fromPeer])
const errors = [...setErrors, 'not_enabled', 'consent_required', 'too_many_requests'] as const

function named(op: string, ...facts: readonly string[]): Operation {
  return { op, hash: operationHash(op, ...facts) }
}

/**
 * Returns the operation that the page's session has to have signed. The wallet's own window can add a grant of its set to
 * a transaction that the page asked for, which the device's signature then covers; any other policy is the page's request.
 *
 * @throws RelayError `not_enabled` for a grant of another set
 */
function namedPolicy(call: Call, setId: string, policy: Policy | null): Operation {
  const asked = namedOperation(call)
  if (asked.op !== 'signTransaction' || policy?.otherwise === undefined)
    return named('setPolicy', setId, JSON.stringify(policy))
  if (namedSet(call) !== setId) throw new RelayError('not_enabled')
  return asked
}

/** Returns the function that signs R1's record of a changed set. @throws RelayError `wallet_not_found` */
async function findSigner({ services }: Call, walletId: string) {
  const wallet = await services.wallets.get(walletId)
  if (!wallet) throw new RelayError('wallet_not_found')
  const { scheme } = wallet
  return async (tx: Transaction, row: SetRow) => ({ record: await signChange(services, tx, row, scheme) })
}

/** Tells the other relay of the change. */
async function handOn({ services, requestId }: Call, walletId: string) {
  await deliver(services, walletId, requestId)
  return { wallet: await services.wallets.show(walletId) }
}

const revoke = route({
  path: '/wallets/{walletId}/sets/{setId}/revoke',
  summary: 'Erases the relays’ half of an additional set: it never signs again, so it needs the user’s consent.',
  params,
  body: v.strictObject({}),
  answer,
  errors: [...errors, 'ceremony_state', 'wallet_exists'],
  run: async (call, { params }) => {
    const { services } = call
    const { walletId, setId } = params
    const { authority, by, row } = await authorizeOver(call, named('revokeSet', setId), params)
    if (row) allow(onRevoke({ set: describeSet(row), ceremonies: [] }))
    if (!authority.device.consent) throw new RelayError('consent_required', { rule: 'revoke' })
    if (!row) {
      if (!by) throw new RelayError('set_not_found')
      await revokeWaiting(call, authority, by, setId)
      return { wallet: await services.wallets.show(walletId) }
    }
    const values = { status: 'revoked' as const, share: null }
    await services.sets.change(
      row,
      now => {
        allow(onRevoke({ set: describeSet(now), ceremonies: [] }))
        return { values, entry: auditEntry(call, authority, now.epoch, 'revoked') }
      },
      authority.nonce,
      await findSigner(call, row.walletId),
    )
    return handOn(call, row.walletId)
  },
})

/** Returns the policies that a set may have at either relay. */
function getPolicies(row: SetRow): readonly (Policy | null)[] {
  return [row.policy, ...row.unconfirmed]
}

function endsGrant(policy: Policy | null, row: SetRow): boolean {
  return policy === null && getPolicies(row).every(isOpen)
}

function isStricter(policy: Policy | null, row: SetRow): boolean {
  return getPolicies(row).every(known => isWithin(policy, known))
}

const setPolicy = route({
  path: '/wallets/{walletId}/sets/{setId}/policy',
  summary:
    'What a set may sign unasked. Needs the user’s consent, unless it ends a grant; a looser policy also the second factor.',
  bodyLimit: LARGE_BODY_BYTES,
  params,
  body: v.strictObject({ policy: v.nullable(policySchema) }),
  answer,
  errors: [...errors, 'mfa_required', 'policy_unsupported', 'rpc_unavailable', 'peer_unavailable'],
  run: async (call, { params, body }) => {
    const { services } = call
    const { policy } = body
    if (policy && !isSoundGrant(policy)) throw new RelayError('invalid_request', { reason: 'policy' })
    const operation = namedPolicy(call, params.setId, policy)
    const { authority, by, row, forPeer } = await authorizeOver(call, operation, params)
    if (!row) throw new RelayError('set_not_found')
    const chainName = chainOf(getPublicSet(row), row.address)
    if (chainName !== 'SOL')
      throw new RelayError('policy_unsupported', {
        chainName,
        signing: chainName === 'EVM' ? 'reconstructed' : 'threshold',
      })
    // A delegate has no user who could be asked.
    if (row.kind === 'delegate' && isOpen(policy)) throw new RelayError('invalid_request', { reason: 'policy' })
    if (!endsGrant(policy, row) && !authority.device.consent)
      throw new RelayError('consent_required', { rule: 'policy' })
    await services.chain.assertPlain(call.environment, policy?.tokens ?? [])
    const loose = !isStricter(policy, row)
    // R1's word for the key of a set that R2 does not have must not be enough.
    if (loose && !by && row.owner !== authority.device.thumbprint)
      throw new RelayError('not_enabled', { reason: 'device' })
    // The policy may be looser at R2 alone, which then needs the receipt of the user's second factor.
    const hasFactor = call.header('x-keybay-mfa-token') !== undefined
    // What a grant allows needs the same second factor as what the user agrees to, so that a grant itself needs none.
    const needsFactor = (loose || hasFactor) && operation.op === 'setPolicy'
    const mfa = needsFactor
      ? await demandMfa(call, authority.session, 'wallet.waas.reshare', authority.operation)
      : undefined
    const isR1 = services.party === 'R1'
    const sign = isR1 ? await findSigner(call, row.walletId) : undefined
    if (isR1 && getPublicSet(row).parties.includes('R2')) {
      // A record of an earlier policy that reached R2 later would replace this one there.
      await demandWitness(services, row.walletId, call.requestId)
      await askPeer(call, fromPeer, forPeer, mfa)
    }
    await services.sets.change(
      row,
      now => {
        allow(onSetPolicy(describeSet(now)))
        if (!authority.device.consent && !endsGrant(policy, now))
          throw new RelayError('consent_required', { rule: 'policy' })
        if (!loose && !isStricter(policy, now)) throw new RelayError('consent_required', { rule: 'policy' })
        return {
          values: { policy, unconfirmed: [] },
          entry: auditEntry(call, authority, now.epoch, 'policy', { loose }),
        }
      },
      authority.nonce,
      sign,
    )
    return isR1 ? handOn(call, row.walletId) : { done: true }
  },
})

export const setRoutes: readonly Route[] = [revoke, setPolicy]
