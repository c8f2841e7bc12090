/** Takes a record from the other relay: into the log, and then into the set that it describes. */
import { onNewRecord } from '@keybay/waas/mpc'
import * as v from 'valibot'
import { sha256 } from '../crypto/jwk.js'
import { RelayError } from '../http/errors.js'
import { policySchema } from '../policy/index.js'
import type { Services } from '../services.js'
import { appendRecord, findHash, findRecord, getHead, lockRecords } from '../store/records.js'
import { acceptRecord, getRecordKeys } from './accept.js'
import type { NewRecord } from './peer-log.js'
import { readRecord } from './record.js'

const policyText = v.pipe(v.string(), v.parseJson(), v.nullable(policySchema))

/** @throws RelayError `invalid_request`, `records_missing` when records before it are missing here, `wallet_quarantined` for a fork */
export async function takeEntry(services: Services, { environmentId, record, policy }: NewRecord): Promise<void> {
  const keys = await getRecordKeys(services)
  const { set, generation, prev, policyHash, backup } = readRecord(keys, record)
  const { walletId } = set
  const parsed = v.safeParse(policyText, policy)
  if (!parsed.success || sha256(policy) !== policyHash) throw new RelayError('invalid_request', { reason: 'policy' })
  const hash = sha256(record)
  const extension = await services.db.transaction(async tx => {
    await lockRecords(tx)
    const at = await findHash(tx, walletId, generation)
    const decided = onNewRecord(await getHead(tx, walletId), at, { generation, prev, hash })
    const before = await findRecord(tx, walletId, generation - 1)
    // Only the user's frame names another account, so no record takes the account away.
    if (before !== undefined && !backup && readRecord(keys, before).backup)
      throw new RelayError('invalid_request', { reason: 'backup' })
    if (decided === 'append') await appendRecord(tx, { environmentId, walletId, generation, record, policy })
    return decided
  })
  if (extension === 'gap') throw new RelayError('records_missing')
  if (extension === 'fork') throw new RelayError('wallet_quarantined')
  await acceptRecord(services, environmentId, record, { policy: parsed.output })
}

const OTHER_HISTORY: ReadonlySet<string> = new Set(['records_missing', 'wallet_quarantined'])

/** Receives a record that R1 delivers. If it does not fit, this relay compares itself first: it may have been restored. */
export async function receiveRecord(services: Services, entry: NewRecord): Promise<object> {
  try {
    await takeEntry(services, entry)
  } catch (error) {
    if (!(error instanceof RelayError && OTHER_HISTORY.has(error.code))) throw error
    services.comparison.restart()
    await services.comparison.ready()
    await takeEntry(services, entry)
  }
  return {}
}
