/** Envelopes, which travel over the port: short tuples, because structured clone writes them faster than objects. */
import { type ErrorFacts, KeybayError, type SerializedError, toKeybayError } from '@keybay/kernel/spec'
import { messageMalformed } from './errors.js'

export const REQUEST = 0
/** For one id, or for several: then the content is an array of ids. */
export const ACKNOWLEDGED = 1
/** Acknowledges as well. */
export const RESOLVED = 2
export const REJECTED = 3
export const ABORTED = 4
export const PROGRESS = 5
export const PING = 6
export const PONG = 7

export type Envelope = readonly [kind: number, id: number, content?: unknown, payload?: unknown]
/** Checks everything: any code that got a port can send. */
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

/** Maximum number of envelopes in one post. */
export const MAX_ENVELOPES = 256
const NO_ENVELOPES: readonly Envelope[] = []
/** Returns the envelopes of one post in their order. Drops everything else. */
export function readEnvelopes(data: unknown): readonly Envelope[] {
  if (isEnvelope(data)) return [data]
  return Array.isArray(data) && data.length <= MAX_ENVELOPES ? data.filter(isEnvelope) : NO_ENVELOPES
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

/** Copies views of a part of a buffer: structured clone would send the whole buffer, with maybe secret bytes. */
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

/** Encodes an error without its cause and stack. A KeybayError holds no secret. */
export function encodeError(thrown: unknown): SerializedError {
  return toKeybayError(thrown).toJSON()
}

const CODE = /^[\w.:-]{1,100}$/
const MAX_MESSAGE_CHARACTERS = 4000

function wholeNumber(value: unknown): value is number {
  return Number.isSafeInteger(value)
}

/** Decodes an error of the other side. A value that is no error becomes `message_malformed`. */
export function decodeError(value: unknown): KeybayError {
  if (!isRecord(value)) return new KeybayError(messageMalformed)
  const { code, message, walletCode, status, connectorId, details } = value
  if (typeof code !== 'string' || !CODE.test(code) || typeof message !== 'string')
    return new KeybayError(messageMalformed)
  const facts: ErrorFacts = {
    ...(wholeNumber(status) && { status }),
    ...(typeof connectorId === 'string' && { connectorId: connectorId.slice(0, 128) }),
    ...(details !== undefined && { details }),
  }
  const text = message.slice(0, MAX_MESSAGE_CHARACTERS)
  return new KeybayError({ code, message: text, ...(wholeNumber(walletCode) && { walletCode }) }, facts)
}
