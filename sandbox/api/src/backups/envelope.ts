/**
 * Reads the public header of a backup envelope, which must match what the envelope is stored as. Its shares are sealed
 * under a recovery code or a passkey, which never reaches this service. Format: `BACKUP.md` of @keybay/waas.
 */
import * as v from 'valibot'

/** Maximum size of an envelope, in bytes; real ones have less than 2 KiB. */
export const MAX_BYTES: number = 16 * 1024
const MAGIC = 'KEYBAY01'
const START = MAGIC.length + 4

const headerSchema = v.object({
  version: v.picklist([1, 2]),
  walletId: v.string(),
  epoch: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
  /** Holders of the shares inside; shares of a device or a relay do not belong in a backup. */
  shares: v.pipe(v.array(v.picklist(['B1', 'B2'])), v.minLength(1), v.maxLength(2)),
})
export type EnvelopeHeader = v.InferOutput<typeof headerSchema>

/** @returns undefined if the bytes are not an envelope */
export function readEnvelope(bytes: Buffer): EnvelopeHeader | undefined {
  if (bytes.length < START || bytes.subarray(0, MAGIC.length).toString('latin1') !== MAGIC) return undefined
  const length = bytes.readUInt32BE(MAGIC.length)
  if (length > bytes.length - START) return undefined
  try {
    const { success, output } = v.safeParse(
      headerSchema,
      JSON.parse(bytes.subarray(START, START + length).toString('utf8')),
    )
    return success ? output : undefined
  } catch {
    return undefined
  }
}
