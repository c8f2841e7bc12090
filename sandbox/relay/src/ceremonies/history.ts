/** History of a wallet: every change of a set is a signed record that names the record before. */
import type { ThresholdSignatureScheme } from '@keybay/kernel/spec'
import { policyText } from '../policy/index.js'
import type { Services } from '../services.js'
import { appendRecord, findRecord, getHead, lockRecords } from '../store/records.js'
import type { SetRow, Transaction } from '../store/sets.js'
import { getPublicSet } from '../store/shares.js'
import { type DescribedSet, describe, type RecordedAccount, readRecord, signRecord } from './record.js'
import { owe } from './witness.js'

type Signing = Pick<Services, 'keys' | 'clock' | 'peer'>

/** Returns the account of the wallet's backups in R1's newest record. */
export async function getRecordedAccount(
  { keys }: Pick<Signing, 'keys'>,
  tx: Transaction,
  walletId: string,
): Promise<RecordedAccount | undefined> {
  const head = await getHead(tx, walletId)
  const record = head && (await findRecord(tx, walletId, head.generation))
  return record === undefined ? undefined : readRecord(keys.recordKeys, record).backup
}

/**
 * Signs R1's record of a changed or new set, in the transaction that changes the set. The account of the wallet's
 * backups stays as in the record before, unless `made` names one.
 */
export async function signNext({ keys, clock, peer }: Signing, tx: Transaction, made: DescribedSet): Promise<string> {
  const { environmentId, set } = made
  await lockRecords(tx)
  const head = await getHead(tx, set.walletId)
  const generation = head ? head.generation + 1 : 0
  const backup = made.backup ?? (await getRecordedAccount({ keys }, tx, set.walletId))
  const facts = { ...describe(made), backup, generation, prev: head?.hash ?? '' }
  const record = signRecord(keys, facts, clock.now())
  const policy = policyText(made.policy)
  const entry = { environmentId, walletId: set.walletId, generation, record, policy }
  await appendRecord(tx, entry)
  if (peer.exists) await owe(tx, [entry])
  return record
}

/** Signs R1's record of a row that changed without a ceremony. */
export function signChange(
  services: Signing,
  tx: Transaction,
  row: SetRow,
  scheme: ThresholdSignatureScheme,
  backup?: RecordedAccount,
): Promise<string> {
  const { transcript } = readRecord(services.keys.recordKeys, row.record)
  return signNext(services, tx, { ...row, scheme, transcript, set: getPublicSet(row), backup })
}

/** Appends the record of a new wallet, which R1 signed before the wallet existed. */
export async function appendFirst(
  { peer }: Pick<Services, 'peer'>,
  tx: Transaction,
  made: DescribedSet & { readonly record: string },
): Promise<void> {
  const { environmentId, set, record, policy } = made
  await lockRecords(tx)
  const entry = { environmentId, walletId: set.walletId, generation: 0, record, policy: policyText(policy) }
  await appendRecord(tx, entry)
  if (peer.exists) await owe(tx, [entry])
}

/** Signs the record of a wallet that is not created yet. */
export function signFirst({ keys, clock }: Pick<Signing, 'keys' | 'clock'>, made: DescribedSet): string {
  return signRecord(keys, { ...describe(made), generation: 0, prev: '' }, clock.now())
}
