/**
 * Share release: this party's share, sealed for a one-time key of the frame that the device key has signed for. The person
 * agreed in the visible frame and gave the second factor; the wallet is marked exported before anything is answered.
 * And leave for what needs the same factor but no share: another copy of the device's share, a backup.
 */
import { codecs, encode, erase, eraseShare, releaseContext, sealPrivate } from '@keybay/waas/mpc'
import { eq } from 'drizzle-orm'
import * as v from 'valibot'
import { authorizeSet, checkRow, type SetAuthority } from '../authority/authorize.js'
import { readJws } from '../authority/jws.js'
import { sha256 } from '../authority/keys.js'
import { demandMfa } from '../authority/mfa.js'
import { operationHash } from '../authority/session.js'
import { askPeer } from '../ceremonies/flow.js'
import { wallets } from '../db/schema.js'
import type { Call } from '../http/call.js'
import {
  consentRequired,
  deviceLocked,
  epochMismatch,
  invalidDeviceSignature,
  invalidRequest,
  invalidSessionSignature,
  mfaRequired,
  notEnabled,
  peerUnavailable,
  RelayError,
  setNotFound,
  setRevoked,
  tooManyRequests,
  unauthorized,
  walletFrozen,
  walletNotFound,
} from '../http/errors.js'
import { base64url, exactBytes, toText, uuid } from '../http/fields.js'
import { parse, type Route, route } from '../http/route.js'
import { publicSetOf } from '../store/public-set.js'
import type { SetRow } from '../store/sets.js'
import { openShare } from '../store/shares.js'

const errors = [
  unauthorized,
  invalidSessionSignature,
  invalidDeviceSignature,
  walletNotFound,
  setNotFound,
  setRevoked,
  epochMismatch,
  walletFrozen,
  deviceLocked,
  notEnabled,
  consentRequired,
  mfaRequired,
  tooManyRequests,
] as const
const ACTION = 'wallet.waas.export'
const params = v.object({ walletId: uuid })
const released = v.object({ shares: v.array(v.object({ party: v.picklist(['R1', 'R2']), box: base64url })) })
const answer = v.object({ ...released.entries, sealedSeed: v.nullable(base64url) })
/** What R2 cannot know by itself: it never sees the token. */
const fromR1 = v.object({ factor: v.string() })

/** The page's origin, by the session key's own word, which has been verified. */
const originOf = (call: Call): unknown =>
  Reflect.get(readJws(call.header('x-keybay-session'), 'keybay-session+jwt')?.claims ?? {}, 'origin')

/** A delegate signs for the wallet, and never has its key. */
const authorize = async (call: Call, walletId: string, setId: string, op: string): Promise<SetAuthority> => {
  const authority = await authorizeSet(call, { walletId, setId, op, hash: operationHash(op) })
  checkRow(call, authority.row, authority.device)
  if (authority.row.kind === 'delegate') throw new RelayError(notEnabled)
  return authority
}

const exportShare = route(
  {
    path: '/wallets/{walletId}/export',
    summary: 'This party’s share, sealed for a one-time key of the frame. The wallet counts as exported from then on.',
    access: 'device',
    params,
    body: v.strictObject({
      requestId: uuid,
      setId: uuid,
      sealingKey: exactBytes(32),
      hostOrigin: v.pipe(v.string(), v.maxLength(256)),
    }),
    answer,
    errors: [...errors, invalidRequest, peerUnavailable],
  },
  async (call, { params: { walletId }, body }) => {
    const { services, environment, fromPeer } = call
    const authority = await authorize(call, walletId, body.setId, 'exportPrivateKey')
    const { row, session, device, operation, nonce } = authority
    if (originOf(call) !== body.hostOrigin) throw new RelayError(invalidRequest, { reason: 'hostOrigin' })
    // Before the second factor, which can be redeemed once.
    if (!device.consent) throw new RelayError(consentRequired, { rule: 'export' })
    const mfa = await demandMfa(call, session, ACTION, operation)
    const token = call.header('x-keybay-mfa-token')
    const factor = fromPeer ? parse('peer', fromR1, fromPeer.extra).factor : token === undefined ? '' : sha256(token)
    const theirs =
      services.party === 'R1' && publicSetOf(row).parties.includes('R2')
        ? parse('peer', released, await askPeer(call, released, { factor }, mfa)).shares
        : []
    await services.sets.change(
      row,
      now => {
        checkRow(call, now, device)
        return { values: {}, entry: { ...entryOf(call, authority, now), what: 'exported', request: body.requestId } }
      },
      nonce,
      async tx => {
        await tx.update(wallets).set({ exported: true }).where(eq(wallets.id, walletId))
      },
    )
    const share = openShare(services.envelope, row)
    if (!share) throw new RelayError(setRevoked)
    const bytes = encode(codecs.keyShare, share)
    try {
      const context = releaseContext({
        party: services.party,
        requestId: body.requestId,
        environmentId: environment.id,
        userId: session.userId,
        walletId,
        setId: row.id,
        epoch: row.epoch,
        address: row.address,
        hostOrigin: body.hostOrigin,
        factor,
      })
      const box = toText(sealPrivate(body.sealingKey, context, bytes))
      const sealedSeed = (await services.wallets.get(walletId))?.sealedSeed ?? null
      return { shares: [{ party: services.party, box }, ...theirs], sealedSeed }
    } finally {
      erase(bytes)
      eraseShare(share)
    }
  },
)

const permit = route(
  {
    path: '/wallets/{walletId}/permit',
    summary: 'Leave to make another copy of the device’s or the backup’s share, under the second factor of an export.',
    access: 'device',
    params,
    body: v.strictObject({
      setId: uuid,
      operation: v.picklist(['exportClientKeyshares', 'backupKeyShares', 'backupKeySharesToGoogleDrive']),
    }),
    answer: v.object({}),
    errors,
  },
  async (call, { params: { walletId }, body }) => {
    const authority = await authorize(call, walletId, body.setId, body.operation)
    const { row, session, device, operation, nonce } = authority
    if (body.operation === 'exportClientKeyshares' && !device.consent)
      throw new RelayError(consentRequired, { rule: 'export' })
    await demandMfa(call, session, ACTION, operation)
    const decide = (now: SetRow) => {
      checkRow(call, now, device)
      return {
        values: {},
        entry: { ...entryOf(call, authority, now), what: 'permitted' as const, operation: body.operation },
      }
    }
    await call.services.sets.change(row, decide, nonce)
    return {}
  },
)

const entryOf = (call: Call, { session, device, operation }: SetAuthority, row: SetRow) => ({
  at: call.services.clock.now(),
  userId: session.userId,
  sessionId: session.sessionId,
  tokenId: session.jti,
  device: device.thumbprint,
  epoch: row.epoch,
  hash: operation.hash,
})

export const exportRoutes: readonly Route[] = [exportShare, permit]
