/**
 * What travels over the port: short tuples, because structured clone writes an array of numbers and strings faster than
 * an object with names. BigInts and bytes cross by themselves; only what would not arrive as it was is encoded.
 */
import type { ErrorFacts, KeybayError, SerializedError } from '@keybay/kernel'
import { messageMalformed } from './errors.js'
import { fault, toFault } from './fault.js'

export const REQUEST = 0
/** For one id, or for several at once. */
export const ACKNOWLEDGED = 1
/** Acknowledges too, where nothing did before. */
export const RESOLVED = 2
export const REJECTED = 3
export const ABORTED = 4
export const PROGRESS = 5
export const PING = 6
export const PONG = 7

export type Envelope = readonly [kind: number, id: number, content?: unknown, payload?: unknown]
/** The other side may be anybody who got hold of a port, so nothing is taken for granted. */
function isEnvelope(data: unknown): data is Envelope {
  return (
    Array.isArray(data) &&
    data.length <= 4 &&
    Number.isInteger(data[0]) &&
    data[0] >= REQUEST &&
    data[0] <= PONG &&
    Number.isSafeInteger(data[1]) &&
    data[1] >= 0
  )
}

/** Envelopes of one post. */
export const MOST_AT_ONCE = 256
const NONE: readonly Envelope[] = []
/** What came in one post: an envelope, or several in their order. What is neither is dropped. */
export function envelopesOf(data: unknown): readonly Envelope[] {
  if (isEnvelope(data)) return [data]
  return Array.isArray(data) && data.length <= MOST_AT_ONCE ? data.filter(isEnvelope) : NONE
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

/**
 * The same value, or a copy where it holds a view of a part of some bytes: structured clone would take the whole buffer
 * with it, and with that whatever else is there.
 */
export function compact(value: unknown): unknown {
  if (!isRecord(value)) return value
  if (value instanceof Uint8Array)
    return value.byteLength === value.buffer.byteLength ? value : Uint8Array.prototype.slice.call(value)
  if (Array.isArray(value)) return value.map(compact)
  let copy: Record<string, unknown> | undefined
  for (const key in value) {
    const part = value[key]
    const small = compact(part)
    if (small === part) continue
    copy ??= { ...value }
    copy[key] = small
  }
  return copy ?? value
}

/** What may cross: no cause, no stack, and nothing secret, because a KeybayError holds nothing secret. */
export function encodeError(thrown: unknown): SerializedError {
  return toFault(thrown).toJSON()
}

const CODE = /^[\w.:-]{1,100}$/
const LONGEST_MESSAGE = 4000

function wholeNumber(value: unknown): value is number {
  return Number.isSafeInteger(value)
}

/** The error as it was thrown over there; one that makes no sense becomes `message_malformed`. */
export function decodeError(value: unknown): KeybayError {
  if (!isRecord(value)) return fault(messageMalformed)
  const { code, message, walletCode, status, connectorId, details } = value
  if (typeof code !== 'string' || !CODE.test(code) || typeof message !== 'string') return fault(messageMalformed)
  const facts: ErrorFacts = {
    ...(wholeNumber(status) && { status }),
    ...(typeof connectorId === 'string' && { connectorId: connectorId.slice(0, 128) }),
    ...(details !== undefined && { details }),
  }
  const text = message.slice(0, LONGEST_MESSAGE)
  return fault({ code, message: text, ...(wholeNumber(walletCode) && { walletCode }) }, facts)
}
