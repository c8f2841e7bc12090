/**
 * Two factors are two things: the mailbox that signed in is no second factor, nor is the passkey that did, unless its
 * authenticator verified the user this time.
 */
import type { mfaDevices } from '../db/schema.js'
import type { ActiveSession, Call } from '../http/call.js'

/** ID of the credential that counts as the first factor; absent where any factor is a second one. */
export type FirstFactor = string | undefined

export function isDistinct({ method, credentialId }: typeof mfaDevices.$inferSelect, first: FirstFactor): boolean {
  return method !== 'email' || first === undefined || credentialId !== first
}

/** Returns what a session's own factors must differ from: nothing, where its sign-in already asked for two factors. */
export function getFirstFactor({ environment }: Call, { credentialId }: ActiveSession): FirstFactor {
  return environment.mfa.atSignIn ? undefined : (credentialId ?? undefined)
}
