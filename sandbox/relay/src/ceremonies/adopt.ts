/** Applies a finished ceremony as a wallet, a set or an epoch: R1 signs its record, and R2 acts on receiving it. */
import { codecs, encode, type KeyShare } from '@keybay/waas/mpc'
import { getThumbprint } from '../crypto/jwk.js'
import { noCounters } from '../db/counters.js'
import { type WalletOrigin, wallets } from '../db/schema.js'
import { RelayError } from '../http/errors.js'
import { toText } from '../http/fields.js'
import type { Policy } from '../policy/index.js'
import type { Services } from '../services.js'
import type { AuditEntry } from '../store/audit.js'
import type { SetRow, Transaction } from '../store/sets.js'
import { sealShare } from '../store/shares.js'
import { chainOf } from './chain.js'
import type { DescribedSet } from './record.js'

export interface NewSet extends DescribedSet {
  /** Undefined for a set that was revoked before it became active. */
  readonly share: KeyShare | undefined
  readonly name: string
  /** At R2, policies of the set that deals that only R1's records name. */
  readonly unconfirmed?: readonly (Policy | null)[]
  /** Thumbprint of the device key that dealt; absent for a creation. */
  readonly owner?: string | undefined
}
interface Recorded {
  /** R1's signed record. */
  readonly record: string
}

export function insertSet(
  services: Services,
  tx: Transaction,
  made: NewSet & Recorded,
  entry: AuditEntry,
): Promise<SetRow> {
  const { environmentId, userId, address, kind, name, status, share, deviceKey, policy, set } = made
  return services.sets.insert(
    tx,
    {
      id: set.setId,
      walletId: set.walletId,
      environmentId,
      userId,
      address,
      kind,
      name,
      status,
      publicSet: toText(encode(codecs.shareSet, set)),
      epoch: set.epoch,
      share: share ? sealShare(services.envelope, environmentId, share) : null,
      record: made.record,
      deviceKey,
      thumbprint: getThumbprint(deviceKey),
      failures: 0,
      lockedAt: null,
      frozenAt: null,
      quarantinedAt: null,
      lostAt: null,
      owner: made.owner ?? null,
      policy,
      unconfirmed: made.unconfirmed ?? [],
      counters: noCounters,
      createdAt: services.clock.now(),
    },
    entry,
  )
}

export interface NewWallet extends NewSet {
  readonly origin: WalletOrigin
  readonly sealedSeed: Uint8Array | undefined
}

/** @throws RelayError `wallet_exists` for a known ID or address */
export async function insertWallet(
  services: Services,
  tx: Transaction,
  made: NewWallet & Recorded,
  entry: AuditEntry,
): Promise<SetRow> {
  const { environmentId, userId, address, scheme, origin, sealedSeed, set } = made
  const chain = chainOf(set, address)
  const [row] = await tx
    .insert(wallets)
    .values({
      id: set.walletId,
      environmentId,
      userId,
      address,
      chain,
      scheme,
      origin,
      // Other wallets import a secp256k1 key as its scalar; a Solana key needs a seed, which DKG does not yield.
      exportable: origin !== 'dkg' || chain !== 'SOL',
      exported: false,
      sealedSeed: sealedSeed ? toText(sealedSeed) : null,
      createdAt: services.clock.now(),
    })
    .onConflictDoNothing()
    .returning()
  if (!row) throw new RelayError('wallet_exists')
  return insertSet(services, tx, made, entry)
}

/** Returns the columns for the next epoch of a set. */
export function nextEpoch(
  services: Services,
  facts: Pick<NewSet, 'environmentId' | 'set' | 'deviceKey'> & { readonly share: KeyShare },
): Pick<SetRow, 'publicSet' | 'epoch' | 'share' | 'deviceKey' | 'thumbprint' | 'failures' | 'lockedAt'> {
  return {
    publicSet: toText(encode(codecs.shareSet, facts.set)),
    epoch: facts.set.epoch,
    share: sealShare(services.envelope, facts.environmentId, facts.share),
    deviceKey: facts.deviceKey,
    thumbprint: getThumbprint(facts.deviceKey),
    failures: 0,
    lockedAt: null,
  }
}
