/**
 * Permission for a backup. No share passes through here: the frame requests permission under the same authority as
 * any release of a share from a device, and the audit log records it.
 */
import * as v from 'valibot'
import { authorizeSet, checkRow, setErrors } from '../authority/authorize.js'
import { demandMfa } from '../authority/mfa.js'
import { operationHash } from '../authority/session.js'
import { mfaRequired, RelayError, setRevoked, tooManyRequests } from '../http/errors.js'
import { uuid } from '../http/fields.js'
import { type Route, route } from '../http/route.js'
import { walletSchema } from '../store/wallets.js'

export const backupRoute: Route = route(
  {
    path: '/wallets/{walletId}/backup',
    summary: 'Whether the device may back its wallet up to a provider now. The second factor of exporting covers it.',
    access: 'device',
    params: v.object({ walletId: uuid }),
    body: v.strictObject({ setId: uuid }),
    answer: v.object({ wallet: walletSchema }),
    errors: [...setErrors, mfaRequired, tooManyRequests],
  },
  async (call, { params: { walletId }, body: { setId } }) => {
    const { services } = call
    const op = 'backupKeyShares'
    const { row, session, device, operation, nonce } = await authorizeSet(call, {
      walletId,
      setId,
      op,
      hash: operationHash(op),
    })
    checkRow(call, row, device)
    await services.limits.hit('changes per wallet', walletId)
    await demandMfa(call, session, 'wallet.waas.export', operation)
    await services.sets.change(
      row,
      now => {
        if (now.status === 'revoked') throw new RelayError(setRevoked)
        const entry = {
          at: services.clock.now(),
          what: 'backup' as const,
          userId: session.userId,
          sessionId: session.sessionId,
          tokenId: session.jti,
          device: device.thumbprint,
          epoch: now.epoch,
          hash: operation.hash,
        }
        return { values: {}, entry }
      },
      nonce,
    )
    return { wallet: await services.wallets.show(walletId) }
  },
)
