/**
 * Share release: this party's share, sealed to a one-time key of the frame that the
 * device key has signed. The user agreed in the visible frame and gave the second factor;
 * the wallet is marked exported before the response. Also grants permission to actions
 * that need the same factor but no share: another copy of the device's share, a backup, which the frame makes.
 */
import { eq } from 'drizzle-orm'
import * as v from 'valibot'
import { auditEntry, authorizeSet, checkRow, type SetAuthority, setErrors } from '../authority/authorize.js'
import { demandMfa } from '../authority/mfa.js'
import { operationHash } from '../authority/session.js'
import { sendExportReports, storeExportReport } from '../ceremonies/export-reports.js'
import { wallets } from '../db/schema.js'
import { RelayError } from '../http/errors.js'
import { base64url, uuid } from '../http/fields.js'
import { type Call, type Route, route } from '../http/route.js'
import type { SetRow } from '../store/sets.js'
import { walletSchema } from '../store/wallets.js'
import { checkHost, getFactor, peerShares, releaseBody, released, releaseShare } from './release.js'

const errors = [...setErrors, 'not_enabled', 'consent_required', 'mfa_required', 'too_many_requests'] as const
const ACTION = 'wallet.waas.export'
const params = v.object({ walletId: uuid })
const answer = v.object({ ...released.entries, sealedSeed: v.nullable(base64url) })

/** A delegate signs for the wallet but never gets its key. */
async function authorize(call: Call, walletId: string, setId: string, op: string): Promise<SetAuthority> {
  const authority = await authorizeSet(call, { walletId, setId, op, hash: operationHash(op) })
  checkRow(call, authority.row, authority.device)
  if (authority.row.kind === 'delegate') throw new RelayError('not_enabled')
  return authority
}

const exportShare = route({
  path: '/wallets/{walletId}/export',
  summary: 'This party’s share, sealed for a one-time key of the frame. The wallet counts as exported from then on.',
  params,
  body: v.strictObject(releaseBody),
  answer,
  errors: [...errors, 'invalid_request', 'peer_unavailable'],
  run: async (call, { params: { walletId }, body }) => {
    const { services } = call
    const authority = await authorize(call, walletId, body.setId, 'exportPrivateKey')
    const { row, session, device, operation, nonce } = authority
    checkHost(call, body.hostOrigin)
    // Check consent before the second factor, which can be redeemed once.
    if (!device.consent) throw new RelayError('consent_required', { rule: 'export' })
    const mfa = await demandMfa(call, session, ACTION, operation)
    const factor = getFactor(call)
    const sharesFromPeer = await peerShares(call, row, factor, mfa)
    await services.sets.change(
      row,
      now => {
        checkRow(call, now, device)
        return { values: {}, entry: auditEntry(call, authority, now.epoch, 'exported', { request: body.requestId }) }
      },
      nonce,
      async tx => {
        await tx.update(wallets).set({ exported: true }).where(eq(wallets.id, walletId))
        await storeExportReport(services, tx, row)
        return {}
      },
    )
    // Not awaited: an API that is away must not delay what the user agreed to.
    void sendExportReports(services)
    const ownShare = releaseShare(call, row, body, { factor })
    const sealedSeed = (await services.wallets.get(walletId))?.sealedSeed ?? null
    return { shares: [ownShare, ...sharesFromPeer], sealedSeed }
  },
})

const permit = route({
  path: '/wallets/{walletId}/permit',
  summary: 'Leave to make another copy of the device’s or the backup’s share, under the second factor of an export.',
  params,
  body: v.strictObject({
    setId: uuid,
    operation: v.picklist(['exportClientKeyshares', 'backupKeyShares', 'backupKeySharesToGoogleDrive']),
  }),
  answer: v.object({}),
  errors,
  run: async (call, { params: { walletId }, body }) => {
    const authority = await authorize(call, walletId, body.setId, body.operation)
    const { row, session, device, operation, nonce } = authority
    if (body.operation === 'exportClientKeyshares' && !device.consent)
      throw new RelayError('consent_required', { rule: 'export' })
    await demandMfa(call, session, ACTION, operation)
    const decide = (now: SetRow) => {
      checkRow(call, now, device)
      const entry = auditEntry(call, authority, now.epoch, 'permitted', { operation: body.operation })
      return { values: {}, entry }
    }
    const { services } = call
    const isExport = body.operation === 'exportClientKeyshares'
    await services.sets.change(row, decide, nonce, async tx => {
      if (isExport) await storeExportReport(services, tx, row)
      return {}
    })
    if (isExport) void sendExportReports(services)
    return {}
  },
})

export const backupRoute = route({
  path: '/wallets/{walletId}/backup',
  summary: 'Whether the device may back its wallet up to a provider now. The second factor of exporting covers it.',
  params,
  body: v.strictObject({ setId: uuid }),
  answer: v.object({ wallet: walletSchema }),
  errors: [...setErrors, 'mfa_required', 'too_many_requests'],
  run: async (call, { params: { walletId }, body: { setId } }) => {
    const { services } = call
    const op = 'backupKeyShares'
    const authority = await authorizeSet(call, { walletId, setId, op, hash: operationHash(op) })
    const { row, session, device, operation, nonce } = authority
    checkRow(call, row, device)
    await services.limits.hit('changes per wallet', walletId)
    await demandMfa(call, session, ACTION, operation)
    const decide = (now: SetRow) => {
      if (now.status === 'revoked') throw new RelayError('set_revoked')
      return { values: {}, entry: auditEntry(call, authority, now.epoch, 'backup') }
    }
    await services.sets.change(row, decide, nonce)
    return { wallet: await services.wallets.show(walletId) }
  },
})

export const exportRoutes: readonly Route[] = [exportShare, permit]
