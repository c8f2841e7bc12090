/** Writes the account that gets a wallet's backups into R1's record, so that all browsers of the user know it. */
import * as v from 'valibot'
import { auditEntry, authorizeKey, checkHeld, checkRow, ownSet, setErrors } from '../authority/authorize.js'
import { namedOperation } from '../authority/session.js'
import { getRecordedAccount, signChange } from '../ceremonies/history.js'
import { recordedAccount } from '../ceremonies/record.js'
import { deliver } from '../ceremonies/witness.js'
import { RelayError } from '../http/errors.js'
import { uuid } from '../http/fields.js'
import { route } from '../http/route.js'
import { walletSchema } from '../store/wallets.js'

export const backupAccountRoute = route({
  path: '/wallets/{walletId}/backup-account',
  summary: 'The account that gets the wallet’s backups, by a keyed hash. Another account needs the user’s consent.',
  params: v.object({ walletId: uuid }),
  body: v.strictObject({ setId: uuid, ...recordedAccount.entries }),
  answer: v.object({ wallet: walletSchema }),
  errors: [...setErrors, 'not_enabled', 'consent_required', 'too_many_requests'],
  run: async (call, { params: { walletId }, body: { setId, ...backup } }) => {
    const { services } = call
    const row = await ownSet(call, walletId, setId)
    checkHeld(row)
    // The account belongs to the operation that made the backup, of which there are several.
    const authority = await authorizeKey(call, row.deviceKey, namedOperation(call), { walletId, setId })
    checkRow(call, row, authority.device)
    await services.limits.hit('changes per wallet', walletId)
    const wallet = await services.wallets.get(walletId)
    if (!wallet) throw new RelayError('wallet_not_found')
    if (services.party !== 'R1' || row.kind !== 'primary') throw new RelayError('not_enabled')
    await services.sets.change(
      row,
      now => {
        checkRow(call, now, authority.device)
        return { values: {}, entry: auditEntry(call, authority, now.epoch, 'backup', { account: backup.account }) }
      },
      authority.nonce,
      async (tx, changed) => {
        const named = await getRecordedAccount(services, tx, walletId)
        if (named && named.account !== backup.account && !authority.device.consent)
          throw new RelayError('consent_required', { rule: 'backup' })
        return { record: await signChange(services, tx, changed, wallet.scheme, backup) }
      },
    )
    await deliver(services, walletId, call.requestId)
    return { wallet: await services.wallets.show(walletId) }
  },
})
