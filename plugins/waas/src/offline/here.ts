/** Recovers keys of every curve, with argon2id in JavaScript. A separate file, so that the frame loads neither. */
import { taprootAddress } from '../btc/address.js'
import { evmAddress } from '../evm/index.js'
import { enableSecp256k1, groupKey, nobleArgon2id, type ShareSet, solanaAddress } from '../mpc/index.js'
import { recoverOffline } from './arguments.js'
import { type RecoveredKey, type RecoveryInput, recoverKey } from './recover.js'

/** A key on secp256k1 is an Ethereum and a Bitcoin account. */
function addressOf(set: ShareSet): string {
  return set.curve === 'ed25519' ? solanaAddress(set) : `${evmAddress(groupKey(set))} or ${taprootAddress(set)}`
}

/**
 * Like `recoverKey` of `recover.ts`.
 * @example const { address, key } = await recoverKey({ envelopes: [backup, device], passwords: ['correct horse'] })
 */
export function recoverKeyHere(
  input: Omit<RecoveryInput, 'argon2id'> & Partial<Pick<RecoveryInput, 'argon2id'>>,
): Promise<RecoveredKey> {
  enableSecp256k1()
  return recoverKey({ argon2id: nobleArgon2id, addressOf, ...input })
}

/** Like `recoverOffline` of `arguments.ts`. */
export function recoverOfflineHere(
  base64Args: string,
  argon2id: RecoveryInput['argon2id'] = nobleArgon2id,
): ReturnType<typeof recoverOffline> {
  enableSecp256k1()
  return recoverOffline(base64Args, argon2id, addressOf)
}
