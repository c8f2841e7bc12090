/** Codes on their way to one address: the first, and those that the user asks for again. Only the newest counts. */
import type { Entrance, Proved } from '@keybay/account'
import { recordInvalid } from '@keybay/kernel/spec'
import type { Channel, ChannelErrors } from './plugin.js'

export interface Codes {
  readonly sentTo: string
  /** Of the first code, ms since epoch. */
  readonly expiresAt: number
  /** What the prompt `one-time-code` says of them. */
  submit(code: string): Promise<Proved>
  resend(): Promise<number>
  /** What the API answered to the code that the ticket is for. @throws KeybayError `record_invalid` for any other thing */
  proofOf(ticket: Proved): object
}
interface Sent {
  readonly verificationId: string
  readonly expiresAt: number
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

function isSent(value: unknown): value is Sent {
  return (
    isObject(value) &&
    typeof Reflect.get(value, 'verificationId') === 'string' &&
    Number.isFinite(Reflect.get(value, 'expiresAt'))
  )
}
/** Room for what people paste around six digits; the API takes no more. */
const MOST_DIGITS = 32

/** Sends the first code. @throws KeybayError with the server's code, `record_invalid` */
export async function createCodes(
  { id, method }: Channel,
  [KeybayError]: ChannelErrors,
  entrance: Entrance,
  sentTo: string,
): Promise<Codes> {
  const malformed = (detail: string) => new KeybayError(recordInvalid, { detail })
  const send = async () => {
    const answer = await entrance.post(id, { [method]: sentTo })
    if (!isSent(answer)) throw malformed('Sent')
    return answer
  }
  const first = await send()
  let newest = first
  let sending: Promise<number> | undefined
  /** A code serves once: whoever submits it twice (a double click) hears the same. */
  const tried = new Map<string, Promise<Proved>>()
  /** The answer has the session's tokens: a UI gets a ticket for it, and nobody signs in with an answer of his own. */
  const proofs = new WeakMap<Proved, object>()
  const attempt = async (verificationId: string, code: string): Promise<Proved> => {
    const proof = await entrance.post(`${id}/verify`, { verificationId, code })
    if (!isObject(proof)) throw malformed('Proved')
    const ticket: Proved = Object.freeze({})
    proofs.set(ticket, proof)
    return ticket
  }
  return {
    sentTo,
    expiresAt: first.expiresAt,
    async submit(typed) {
      const code = String(typed).replace(/\D/g, '').slice(0, MOST_DIGITS)
      const { verificationId } = newest
      const key = `${verificationId} ${code}`
      const trying = tried.get(key) ?? attempt(verificationId, code)
      tried.set(key, trying)
      try {
        return await trying
      } catch (error) {
        tried.delete(key) // the network may have failed; and a wrong code is told as such each time
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
    proofOf(ticket) {
      const proof = isObject(ticket) && proofs.get(ticket)
      if (!proof) throw malformed('Proved')
      return proof
    },
  }
}
