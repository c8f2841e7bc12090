/** Sources of the service's keys. */
import { join } from 'node:path'
import type { KeySource } from '@keybay/sandbox-service/keys'
import { findKeks } from '@keybay/sandbox-service/secrets'
import type { CustodyOptions } from '../index.js'
import { findEnclave } from './enclave.js'
import { findOperator } from './operator.js'

type KeyOptions = Pick<CustodyOptions, 'dataDir' | 'kek' | 'enclaveKey' | 'organizationId' | 'apiPublicKey'>

export function kekSource({ dataDir, kek }: Pick<KeyOptions, 'dataDir' | 'kek'>): KeySource {
  return { service: 'custody', variable: 'CUSTODY_KEK', text: kek, file: dataDir && join(dataDir, 'kek') }
}

/** Returns a finder for each key. A finder throws an Error without the key's text when the key is invalid. */
export function findAllKeys(options: KeyOptions) {
  const { dataDir, enclaveKey, organizationId, apiPublicKey } = options
  const keyFilePath = (name: string) => dataDir && join(dataDir, name)
  return {
    kek: () => findKeks(kekSource(options)),
    enclave: () => findEnclave({ pem: enclaveKey, file: keyFilePath('enclave.pem') }),
    operator: () => findOperator({ organizationId, publicKey: apiPublicKey, file: keyFilePath('operator.json') }),
  }
}
