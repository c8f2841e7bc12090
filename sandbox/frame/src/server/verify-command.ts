/**
 * `npm run verify -w sandbox/frame -- <address of the frame> [--public-key <PEM file>]`: compares an operator's site
 * with this build or, with a public key, with the operator's own manifest, which this key must have signed.
 */
import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import {
  createManifest,
  isManifestSigned,
  MANIFEST_PATH,
  type Manifest,
  readManifest,
  SIGNATURE_PATH,
} from './manifest.js'
import { verifyFrame } from './verify.js'

async function fetchBytes(url: URL): Promise<Uint8Array> {
  const response = await fetch(url, { redirect: 'error' })
  if (!response.ok) throw new Error(`${url} answers ${response.status}`)
  return new Uint8Array(await response.arrayBuffer())
}

/** @throws Error if the operator's manifest is not signed by this key */
async function fetchSignedManifest(url: string, keyFile: string): Promise<Manifest> {
  const manifest = await fetchBytes(new URL(MANIFEST_PATH, url))
  const signature = Buffer.from(await fetchBytes(new URL(SIGNATURE_PATH, url))).toString()
  if (!isManifestSigned(manifest, signature, await readFile(keyFile, 'utf8')))
    throw new Error(`${new URL(MANIFEST_PATH, url)} is not signed by the key in ${keyFile}.`)
  return readManifest(manifest)
}

async function run(): Promise<void> {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { 'public-key': { type: 'string' } } })
  const [url] = positionals
  const keyFile = values['public-key']
  if (url === undefined || !URL.canParse(url))
    throw new Error('Say which frame: npm run verify -w sandbox/frame -- https://wallet.example.com/waas-v1/acme')
  const manifest = keyFile === undefined ? await createManifest() : await fetchSignedManifest(url, keyFile)
  const { findings, configuration } = await verifyFrame(url, manifest)
  for (const { path, problem } of findings)
    console.info(problem === undefined ? `same     ${path}` : `DIFFERS  ${path} ${problem}`)
  if (configuration)
    console.info(`\nThe environment, to compare with what you know:\n${JSON.stringify(configuration, undefined, 2)}`)
  const different = findings.filter(({ problem }) => problem !== undefined).length
  console.info(
    different === 0
      ? `\nAll ${findings.length} files are the build's.`
      : `\n${different} of ${findings.length} files differ.`,
  )
  process.exitCode = different === 0 ? 0 : 1
}

await run().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error))
  process.exitCode = 2
})
