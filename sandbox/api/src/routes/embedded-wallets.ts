/** Accepts R1's reports of wallets. Only the record's signature counts: no page and no token can add a wallet. */
import { blockedUserCannotTransferWallet, embeddedWalletAddressAlreadyLinked } from '@keybay/kernel/spec'
import { and, eq } from 'drizzle-orm'
import * as v from 'valibot'
import { users } from '../db/schema.js'
import { readExportReport, readWalletRecord, refuseRecord } from '../embedded/record.js'
import { acceptWalletRecord } from '../embedded/wallets.js'
import { ApiError, accountDeletionPending, invalidWalletRecord, originNotAllowed } from '../http/errors.js'
import { type Route, routesOf } from '../http/route.js'
import { recordEvent } from '../security-log/events.js'

const route = routesOf('embedded wallets')

const report = route('POST /embedded-wallets', {
  summary: 'From R1: its signed record of a wallet that is about to be usable, or of one whose creation was abandoned.',
  access: 'public',
  body: v.strictObject({ record: v.pipe(v.string(), v.maxLength(4096)) }),
  errors: [
    originNotAllowed,
    invalidWalletRecord,
    embeddedWalletAddressAlreadyLinked,
    accountDeletionPending,
    blockedUserCannotTransferWallet,
  ],
  async run({ services, environment, body, origin }) {
    if (origin !== undefined) throw new ApiError(originNotAllowed)
    await acceptWalletRecord(services, await readWalletRecord(services, environment, body.record))
  },
})

const reportExport = route('POST /embedded-wallets/exports', {
  summary: 'From R1: its signed report that a wallet’s key was exported. A repeat changes nothing.',
  access: 'public',
  body: v.strictObject({ report: v.pipe(v.string(), v.maxLength(4096)) }),
  errors: [originNotAllowed, invalidWalletRecord],
  async run(call) {
    const { services, environment, body, origin } = call
    if (origin !== undefined) throw new ApiError(originNotAllowed)
    const { sub: userId, address, jti } = await readExportReport(services, environment, body.report)
    await services.db.transaction(async tx => {
      const owner = and(eq(users.id, userId), eq(users.environmentId, environment.id))
      if ((await tx.$count(users, owner)) === 0) throw refuseRecord('user')
      await recordEvent(call, tx, { userId, kind: 'wallet-exported', detail: address, id: jti, isHere: false })
    })
  },
})

export const embeddedWalletRoutes: readonly Route[] = [report, reportExport]
