import { defineConfig } from 'vite'
import { guardedPage } from './vite.integrity.js'

/** Packages for proofs of @turnkey/crypto, which this page does not use. */
const PROOFS = /node_modules\/(@peculiar|asn1js|cbor-js|pvtsutils|pvutils|reflect-metadata|tsyringe)\//

export default defineConfig({
  root: 'src/turnkey-export',
  ...guardedPage('../../dist/turnkey-export', { unused: PROOFS }),
})
