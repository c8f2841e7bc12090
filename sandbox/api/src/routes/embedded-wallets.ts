/** Accepts R1's reports of wallets. Only the record's signature counts: no page and no token can add a wallet. */
import { embeddedWalletAddressAlreadyLinked } from '@keybay/kernel/spec'
import * as v from 'valibot'
import { readWalletRecord } from '../embedded/record.js'
import { acceptWalletRecord } from '../embedded/wallets.js'
import { ApiError, accountDeletionPending, invalidWalletRecord, originNotAllowed } from '../http/errors.js'
import { type Route, routesOf } from '../http/route.js'

const route = routesOf('embedded wallets')

const report = route('POST /embedded-wallets', {
  summary: 'From R1: its signed record of a wallet that is about to be usable, or of one whose creation was abandoned.',
  access: 'public',
  body: v.strictObject({ record: v.pipe(v.string(), v.maxLength(4096)) }),
  errors: [originNotAllowed, invalidWalletRecord, embeddedWalletAddressAlreadyLinked, accountDeletionPending],
  async run({ services, environment, body, origin }) {
    if (origin !== undefined) throw new ApiError(originNotAllowed)
    await acceptWalletRecord(services, await readWalletRecord(services, environment, body.record))
  },
})

export const embeddedWalletRoutes: readonly Route[] = [report]
