/** Envelopes from files, in the forms that people have them: the file itself, base64, or JSON with base64 in it. */
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

/**
 * @param bytes of the file
 * @param name for the user, where it is none
 * @throws Error that names the file
 */
export function envelopesIn(bytes: Uint8Array, name: string): readonly Uint8Array[] {
  if (isEnvelope(bytes)) return [bytes]
  try {
    const found = textsIn(new TextDecoder().decode(bytes).trim()).map(fromBase64)
    if (found.length > 0 && found.every(isEnvelope)) return found
  } catch {
    // As if it held something else.
  }
  throw new Error(`${name} is no backup and no list of key shares.`)
}
