/** Sources of the service's keys. */
import { join } from 'node:path'
import type { FoundKey, KeySource } from '@keybay/sandbox-service/keys'
import { findKeks } from '@keybay/sandbox-service/secrets'
import type { CustodyOptions } from '../index.js'
import { type Enclave, findEnclave } from './enclave.js'
import { findOperator, type Operator } from './operator.js'

type KeyOptions = Pick<CustodyOptions, 'dataDir' | 'kek' | 'enclaveKey' | 'organizationId' | 'apiPublicKey'>

export interface FindKeys {
  readonly kek: () => FoundKey<readonly Uint8Array[]>
  readonly enclave: () => FoundKey<Enclave>
  readonly operator: () => FoundKey<Operator>
}

/** Returns the source of the key-encryption keys. */
export function kekSource({ dataDir, kek }: Pick<KeyOptions, 'dataDir' | 'kek'>): KeySource {
  return { service: 'custody', variable: 'CUSTODY_KEK', text: kek, file: dataDir && join(dataDir, 'kek') }
}

/** Returns a finder for each key. A finder throws an Error without the key's text when the key is invalid. */
export function findAllKeys(options: KeyOptions): FindKeys {
  const { dataDir, enclaveKey, organizationId, apiPublicKey } = options
  const kept = (name: string) => dataDir && join(dataDir, name)
  return {
    kek: () => findKeks(kekSource(options)),
    enclave: () => findEnclave({ pem: enclaveKey, file: kept('enclave.pem') }),
    operator: () => findOperator({ organizationId, publicKey: apiPublicKey, file: kept('operator.json') }),
  }
}
