import { readFile } from 'node:fs/promises'
import { envelopesIn } from '../offline/envelopes.js'

/** Reads the envelopes of one file. @throws Error that names it */
export async function readEnvelopes(path: string): Promise<readonly Uint8Array[]> {
  const bytes = await readFile(path).catch(() => {
    throw new Error(`${path} can't be read.`)
  })
  return envelopesIn(new Uint8Array(bytes), path)
}
