/** Arguments of `offlineExportPrivateKey`, as the specification encodes them: base64 of JSON. */
import { fromBase64, KeybayError } from '@keybay/kernel/spec'
import * as v from 'valibot'
import type { Argon2id } from '../mpc/index.js'
import { messageMalformed } from '../protocol/errors.js'
import { eraseKey, keyText, type RecoveryInput, recoverKey } from './recover.js'

export interface OfflineArguments {
  /** Envelopes, base64, from `exportClientKeyshares` or from a backup file's bytes. */
  readonly keyShares: readonly string[]
  /** Part of the specification, and ignored: each wallet has one key, so nothing is derived. */
  readonly derivationPath?: string | null | undefined
  /** Passwords of the envelopes. Secrets. Without them the call rejects with `mpc_password_empty`. */
  readonly passwords?: readonly string[] | undefined
}
const text = v.pipe(v.string(), v.minLength(1))
const list = v.pipe(v.array(text), v.maxLength(16))
const argumentsSchema: v.GenericSchema<unknown, OfflineArguments> = v.strictObject({
  keyShares: v.pipe(list, v.minLength(1)),
  derivationPath: v.nullish(v.string()),
  passwords: v.optional(list),
})

/** @example offlineArguments({ keyShares: [backup, device], passwords: ['correct horse'] }) */
export function offlineArguments(input: OfflineArguments): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(JSON.stringify(input))))
}

function read(base64Args: string): Omit<RecoveryInput, 'argon2id'> {
  try {
    const parsed: unknown = JSON.parse(new TextDecoder().decode(fromBase64(base64Args)))
    const { keyShares, passwords = [] } = v.parse(argumentsSchema, parsed)
    return { envelopes: keyShares.map(fromBase64), passwords }
  } catch {
    // The parser's error may quote a password.
    throw new KeybayError(messageMalformed, { detail: 'base64Args' })
  }
}

/** @throws KeybayError `message_malformed` naming `base64Args`; as `recoverKey` */
export async function recoverOffline(
  base64Args: string,
  argon2id: Argon2id,
  addressOf?: RecoveryInput['addressOf'],
): Promise<{ readonly accountAddress: string; readonly privateKey: string }> {
  const recovered = await recoverKey({ ...read(base64Args), argon2id, ...(addressOf && { addressOf }) })
  try {
    return { accountAddress: recovered.address, privateKey: keyText(recovered) }
  } finally {
    eraseKey(recovered)
  }
}
