/** Sources of the service's keys. */
import { join } from 'node:path'
import type { CustodyOptions } from '../index.js'
import { findEnclave } from './enclave.js'
import { findKek, type OpenedCommand } from './kek.js'
import { findOperator } from './operator.js'

type KeyOptions = Pick<
  CustodyOptions,
  'dataDir' | 'kek' | 'kekCommand' | 'enclaveKey' | 'organizationId' | 'apiPublicKey'
>

/** Returns a finder for each key. A finder throws an Error without the key's text when the key is invalid. */
export function findAllKeys(options: KeyOptions, command: OpenedCommand) {
  const { dataDir, enclaveKey, organizationId, apiPublicKey } = options
  const keyFilePath = (name: string) => dataDir && join(dataDir, name)
  return {
    kek: () => findKek(options, command),
    enclave: () => findEnclave({ pem: enclaveKey, file: keyFilePath('enclave.pem') }),
    operator: () => findOperator({ organizationId, publicKey: apiPublicKey, file: keyFilePath('operator.json') }),
  }
}
