/** Envelopes from files, in the forms that people have them: the file itself, base64, or JSON with base64 in it. */
import { readFile } from 'node:fs/promises'
import * as v from 'valibot'

const MAGIC = 'KEYBAY01'
const fromText = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'base64'))
const listSchema = v.union([
  v.array(v.string()),
  v.pipe(
    v.object({ keyShares: v.array(v.string()) }),
    v.transform(one => one.keyShares),
  ),
])

/** @throws Error that names the file */
export const readEnvelopes = async (path: string): Promise<readonly Uint8Array[]> => {
  const bytes = await readFile(path)
  if (bytes.subarray(0, MAGIC.length).toString('latin1') === MAGIC) return [new Uint8Array(bytes)]
  const text = bytes.toString('utf8').trim()
  try {
    return v.parse(listSchema, JSON.parse(text)).map(fromText)
  } catch {
    const whole = fromText(text)
    if (Buffer.from(whole).subarray(0, MAGIC.length).toString('latin1') === MAGIC) return [whole]
    throw new Error(`${path} is no backup and no list of key shares.`)
  }
}
