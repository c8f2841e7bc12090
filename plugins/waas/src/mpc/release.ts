/** The context of a released share: one request of one page. The share opens for no other. */
import { utf8ToBytes } from '@noble/hashes/utils.js'
import { digest } from './bytes.js'
import type { Party } from './parties.js'

export interface ReleaseFacts {
  /** The party that releases its share. */
  readonly party: Party
  readonly requestId: string
  readonly environmentId: string
  readonly userId: string
  readonly walletId: string
  readonly setId: string
  readonly epoch: number
  readonly address: string
  /** The origin of the page that embeds the frame. */
  readonly hostOrigin: string
  /** base64url SHA-256 of the MFA token; empty if none was demanded. */
  readonly factor: string
  /** base64url SHA-256 of what this release signs. Absent for an export, which cannot open a share released to sign. */
  readonly signs?: string | undefined
}

/**
 * Returns the HPKE `info` of a share release: 32 bytes. @example sealPrivate(sealingKey, releaseContext(facts),
 * shareBytes)
 */
export function releaseContext(facts: ReleaseFacts): Uint8Array {
  const { party, requestId, environmentId, userId, walletId, setId, epoch, address, hostOrigin, factor, signs } = facts
  const parts = [party, requestId, environmentId, userId, walletId, setId, String(epoch), address, hostOrigin, factor]
  return signs === undefined
    ? digest('release', ...parts.map(utf8ToBytes))
    : digest('release to sign', ...[...parts, signs].map(utf8ToBytes))
}
