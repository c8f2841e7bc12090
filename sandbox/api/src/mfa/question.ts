/** Reads the step-up that a wallet frame has open. */
import { mfaInvalidCode } from '@keybay/kernel/spec'
import * as v from 'valibot'
import { type CeremonyKey, peek } from '../accounts/ceremonies.js'
import type { ActiveSession, Call } from '../http/call.js'
import { ApiError } from '../http/errors.js'
import { scope } from './demand.js'

const openData = v.object({
  ...scope,
  sessionId: v.string(),
  origin: v.string(),
  /** Thumbprint of the key that the frame opened the step-up with. */
  frameKey: v.optional(v.string()),
})

export function questionKey({ thumbprint }: ActiveSession, id: string): CeremonyKey {
  return { id, kind: 'mfa-frame', thumbprint }
}

/** Returns the step-up of this frame and session. @throws ApiError `mfa_invalid_code` if unknown or ended */
export async function opened(
  call: Call,
  { session, origin }: { readonly session: ActiveSession; readonly origin: string },
  id: string,
): Promise<v.InferOutput<typeof openData>> {
  const data = v.safeParse(openData, (await peek(call, questionKey(session, id)))?.data)
  if (!data.success || data.output.sessionId !== session.id || data.output.origin !== origin)
    throw new ApiError(mfaInvalidCode)
  return data.output
}
