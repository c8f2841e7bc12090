/** The codes sent to one address: the first, and those the user asks for again. Only the newest one counts. */
import type { Entrance, Proved } from '@keybay/account'
import type { ApiResponse } from '@keybay/kernel'
import { field, KeybayError, recordInvalid } from '@keybay/kernel/spec'
import type { Channel } from './plugin.js'

export interface Codes {
  readonly sentTo: string
  /** Expiry of the first code, ms since epoch. */
  readonly expiresAt: number
  /** `submit` and `resend` of the prompt `one-time-code`. */
  submit(code: string): Promise<Proved>
  resend(): Promise<number>
  /** Returns the API's response that the ticket stands for. @throws KeybayError `record_invalid` for any other value */
  getProof(ticket: Proved): ApiResponse
}
interface Sent {
  readonly verificationId: string
  readonly expiresAt: number
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

function isSent(value: unknown): value is Sent {
  return typeof field(value, 'verificationId') === 'string' && Number.isFinite(field(value, 'expiresAt'))
}

function malformed(detail: string): KeybayError {
  return new KeybayError(recordInvalid, { detail })
}
/** Leaves room for text pasted around six digits. The API accepts no more. */
const MAX_DIGITS = 32

/** Sends the first code. @throws KeybayError with the server's code, `record_invalid` */
export async function createCodes({ id, method }: Channel, entrance: Entrance, sentTo: string): Promise<Codes> {
  const send = async () => {
    const response = await entrance.post(id, { [method]: sentTo })
    if (!isSent(response)) throw malformed('Sent')
    return response
  }
  const first = await send()
  let newest = first
  let sending: Promise<number> | undefined
  /** A code works once: submitting it twice (a double click) shares one request. */
  const submissions = new Map<string, Promise<Proved>>()
  /** The response holds the session's tokens, so a UI only gets a ticket for it, and cannot sign in with a forged response. */
  const proofs = new WeakMap<Proved, ApiResponse>()
  const verify = async (verificationId: string, code: string): Promise<Proved> => {
    const proof = await entrance.post(`${id}/verify`, { verificationId, code })
    const ticket: Proved = Object.freeze({})
    proofs.set(ticket, proof)
    return ticket
  }
  return {
    sentTo,
    expiresAt: first.expiresAt,
    async submit(typed) {
      const code = String(typed).replace(/\D/g, '').slice(0, MAX_DIGITS)
      const { verificationId } = newest
      const key = `${verificationId} ${code}`
      const submission = submissions.get(key) ?? verify(verificationId, code)
      submissions.set(key, submission)
      try {
        return await submission
      } catch (error) {
        submissions.delete(key) // the network may have failed
        throw error
      }
    },
    resend() {
      sending ??= send()
        .then(sent => {
          newest = sent
          return sent.expiresAt
        })
        .finally(() => {
          sending = undefined
        })
      return sending
    },
    getProof(ticket) {
      const proof = isObject(ticket) && proofs.get(ticket)
      if (!proof) throw malformed('Proved')
      return proof
    },
  }
}
