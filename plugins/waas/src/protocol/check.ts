/** Checks payloads and results on both sides. Looks for the wrong field only after a check has failed. */
import {
  authorityMissing,
  type ErrorSpec,
  KeybayError,
  RAW_MESSAGE_LENGTH_CHARACTERS,
  rawMessageLength,
} from '@keybay/kernel/spec'
import { type BaseIssue, type GenericSchema, getDotPath, is, safeParse } from 'valibot'
import { backupUnsupported, messageMalformed } from './errors.js'

/** Fields whose absence has its own error in the specification (S5.7). */
const OWN_ERROR: ReadonlyMap<string, ErrorSpec> = /* @__PURE__ */ new Map([
  ['accountAddress', authorityMissing],
  ['senderAddress', authorityMissing],
  ['signedSessionId', authorityMissing],
  ['authToken', authorityMissing],
])

function hasWrongLength(value: unknown): boolean {
  return typeof value === 'string' && value.length !== RAW_MESSAGE_LENGTH_CHARACTERS
}

function firstIssue(schema: GenericSchema<unknown>, value: unknown): BaseIssue<unknown> | undefined {
  return safeParse(schema, value).issues?.[0]
}
/** Returns the path of the first wrong field. Never its value: it may be a secret. */
function getFieldName(issue: BaseIssue<unknown> | undefined): string {
  return (issue && getDotPath(issue)?.slice(0, 100)) || '(whole)'
}

/** @throws `authority_missing` (S5.7), `raw_message_length` (S5.3), `backup_unsupported`, `message_malformed` */
export function checkPayload<T>(type: string, schema: GenericSchema<T>, payload: unknown): asserts payload is T {
  if (is(schema, payload)) return
  const issue = firstIssue(schema, payload)
  if (issue?.message === backupUnsupported.message) throw new KeybayError(backupUnsupported)
  const field = getFieldName(issue)
  const length = type === 'signRawMessage' && field === 'message' && hasWrongLength(Reflect.get(Object(payload), field))
  throw length
    ? new KeybayError(rawMessageLength)
    : new KeybayError(OWN_ERROR.get(field) ?? messageMalformed, { detail: `${type}.${field}` })
}
/** @throws KeybayError `message_malformed` */
export function checkResult<T>(type: string, schema: GenericSchema<T>, result: unknown): asserts result is T {
  if (!is(schema, result))
    throw new KeybayError(messageMalformed, {
      detail: `the answer to ${type}: ${getFieldName(firstIssue(schema, result))}`,
    })
}
