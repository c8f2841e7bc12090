/** Verifies R1's signed record of a share set with the keys that the frame's host pinned. */
import { KeybayError } from '@keybay/kernel/spec'
import { type RecordClaims, recordSchema, verifyJws } from '@keybay/waas/relay-client'
import * as v from 'valibot'
import type { FrameConfiguration } from '../../configuration/frame.js'
import { relayAnswerWrong } from '../errors/errors.js'

const TYPE = 'keybay-record+jwt'

/**
 * @param about the expected subject of the record
 * @throws KeybayError `frame_relay_answer_wrong`
 */
export async function readRecord(
  text: string,
  configuration: FrameConfiguration,
  about: { readonly user: string; readonly setId: string },
): Promise<RecordClaims> {
  const [first] = configuration.relays
  const claims = await verifyJws(text, TYPE, first?.recordKeys ?? [])
  const { success, output } = v.safeParse(recordSchema, claims)
  if (!success) throw new KeybayError(relayAnswerWrong, { detail: 'the record' })
  if (output.env !== configuration.environmentId || output.sub !== about.user || output.set !== about.setId)
    throw new KeybayError(relayAnswerWrong, { detail: 'the record of something else' })
  return output
}
