/**
 * The manifest of a build: the hash of every file that the host serves. Pages are hashed as they were built, before the
 * host fills in an environment's configuration.
 */
import { createHash, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import * as v from 'valibot'
import { plainHeaders } from './headers.js'
import { EXPORT_PAGE, FRAME_PAGE, readAssets, readBuiltPage, readRecoverPage, type SiteFile } from './site.js'

const schema = v.strictObject({
  format: v.literal('keybay-frame-1'),
  files: v.record(v.pipe(v.string(), v.startsWith('/')), v.pipe(v.string(), v.regex(/^sha256-[\w+/]{43}=$/))),
})
export type Manifest = v.InferOutput<typeof schema>

export const MANIFEST_PATH = '/manifest.json'
export const SIGNATURE_PATH = '/manifest.json.sig'

const SIGNATURE_FILE: string = fileURLToPath(new URL('../manifest.json.sig', import.meta.url))

/** @example getHash(body) // 'sha256-…', base64 */
export function getHash(body: Uint8Array): string {
  return `sha256-${createHash('sha256').update(body).digest('base64')}`
}

/** @throws Error if a page was not built */
export async function createManifest(client?: string): Promise<Manifest> {
  const files = [
    ...(await readAssets(client)),
    await readRecoverPage(),
    { path: FRAME_PAGE, body: await readBuiltPage('frame', client) },
    { path: EXPORT_PAGE, body: await readBuiltPage('export') },
  ]
  const hashes = files.map(({ path, body }) => [path, getHash(body)] as const)
  return { format: 'keybay-frame-1', files: Object.fromEntries(hashes.toSorted(([a], [b]) => (a < b ? -1 : 1))) }
}

/** Returns the bytes that are served and signed: the same for the same build. */
export function printManifest(manifest: Manifest): Uint8Array {
  return Buffer.from(`${JSON.stringify(manifest, undefined, 2)}\n`)
}

/** @throws ValiError for another format; SyntaxError for bytes that are not JSON */
export function readManifest(bytes: Uint8Array): Manifest {
  return v.parse(schema, JSON.parse(Buffer.from(bytes).toString()))
}

/** Signs the manifest of this build and keeps the signature in the build. @param key an Ed25519 private key */
export async function signManifest(key: KeyObject): Promise<void> {
  const signature = sign(null, printManifest(await createManifest()), key)
  await writeFile(SIGNATURE_FILE, `${signature.toString('base64')}\n`)
}

/** @param signature base64 @param publicKey an Ed25519 key as PEM */
export function isManifestSigned(manifest: Uint8Array, signature: string, publicKey: string): boolean {
  const key = createPublicKey(publicKey)
  return key.asymmetricKeyType === 'ed25519' && verify(null, manifest, key, Buffer.from(signature, 'base64'))
}

/** Returns the manifest as a file to serve and, if the build was signed, its signature. */
export async function readManifestFiles(client?: string): Promise<readonly SiteFile[]> {
  const manifest = printManifest(await createManifest(client))
  const headers = { ...plainHeaders, 'content-type': 'application/json' }
  const file = { path: MANIFEST_PATH, headers, body: manifest }
  const signature = await readFile(SIGNATURE_FILE).catch(() => undefined)
  if (signature === undefined) return [file]
  return [file, { path: SIGNATURE_PATH, headers: { ...headers, 'content-type': 'text/plain' }, body: signature }]
}
