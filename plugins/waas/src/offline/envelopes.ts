/** Reads envelopes from files: the envelope itself, base64, or JSON with base64. */
import { fromBase64 } from '@keybay/kernel/spec'
import * as v from 'valibot'

const MAGIC = 'KEYBAY01'

function isEnvelope(bytes: Uint8Array): boolean {
  return new TextDecoder('latin1').decode(bytes.subarray(0, MAGIC.length)) === MAGIC
}

const listSchema: v.GenericSchema<unknown, readonly string[]> = v.union([
  v.array(v.string()),
  v.pipe(
    v.object({ keyShares: v.array(v.string()) }),
    v.transform(({ keyShares }) => keyShares),
  ),
])

function textsIn(text: string): readonly string[] {
  try {
    return v.parse(listSchema, JSON.parse(text))
  } catch {
    return [text]
  }
}

/** Returns the envelopes of a file. @throws Error that names the file */
export function envelopesIn(bytes: Uint8Array, name: string): readonly Uint8Array[] {
  if (isEnvelope(bytes)) return [bytes]
  try {
    const envelopes = textsIn(new TextDecoder().decode(bytes).trim()).map(fromBase64)
    if (envelopes.length > 0 && envelopes.every(isEnvelope)) return envelopes
  } catch {
    // Reported below.
  }
  throw new Error(`${name} is not a backup and not a list of key shares.`)
}
