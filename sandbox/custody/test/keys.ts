/** Keys that an operator gives to the custody service. */
import { newKeyPair } from '@keybay/sandbox-service/key-pair'

/** PKCS #8 in PEM. */
export function newEnclaveKey(): string {
  return newKeyPair('P-256').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
}
