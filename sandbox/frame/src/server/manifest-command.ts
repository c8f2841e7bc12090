/**
 * `npm run manifest -w sandbox/frame [-- --sign <PEM file>]`: prints the manifest of this build. With the file of an
 * Ed25519 private key it also signs the manifest; the host then serves the signature.
 */
import { createPrivateKey } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { createManifest, printManifest, signManifest } from './manifest.js'

const { values } = parseArgs({ options: { sign: { type: 'string' } } })
if (values.sign !== undefined) await signManifest(createPrivateKey(await readFile(values.sign)))
process.stdout.write(printManifest(await createManifest()))
