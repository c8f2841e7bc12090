/** Keys that an operator gives to the custody service. */
import { generateKeyPairSync } from 'node:crypto'

/** PKCS #8 in PEM. */
export function newEnclaveKey(): string {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' })
    .privateKey.export({ type: 'pkcs8', format: 'pem' })
    .toString()
}
