/** Seals a share for storage and opens it again. Its public set is stored beside it. */
import { type Argon2id, checkShare, codecs, decode, encode, erase, type KeyShare } from '@keybay/waas/mpc'
import { frameError } from '../errors/errors.js'
import { type KeptSet, type KeptShare, shareContext } from './kept.js'
import { seal, unseal } from './seal.js'
import type { ShareStore } from './share-store.js'

type Owner = Pick<KeptSet, 'user' | 'walletId' | 'setId'>
interface Keeper {
  readonly store: ShareStore
  readonly argon2id: Argon2id
}

/** @param password additionally encrypts the share, if set */
export async function sealShare(
  { store, argon2id }: Keeper,
  owner: Owner,
  share: KeyShare,
  password: string | undefined,
): Promise<KeptShare> {
  const { epoch } = share.set
  const context = shareContext(store.environmentId, owner, epoch)
  const lock = { password, argon2id }
  const sealed = await seal(await store.wrappingKey(owner.user), { secret: share.secret, context, lock })
  return { epoch, set: encode(codecs.shareSet, share.set), sealed }
}

/**
 * Opens a share and checks it against its set. The caller erases it.
 * @throws KeybayError `frame_password_missing`, `frame_password_wrong`, `frame_share_unreadable`
 */
export async function openShare(
  { store, argon2id }: Keeper,
  owner: Owner,
  keptShare: KeptShare,
  password: string | undefined,
): Promise<KeyShare> {
  const context = shareContext(store.environmentId, owner, keptShare.epoch)
  const lock = { password, argon2id }
  const secret = await unseal(await store.wrappingKey(owner.user), { sealed: keptShare.sealed, context, lock })
  const share: KeyShare = { set: decode(codecs.shareSet, keptShare.set), party: 'C', secret }
  try {
    checkShare(share)
    return share
  } catch (cause) {
    erase(secret)
    throw frameError('frame_share_unreadable', { cause })
  }
}
