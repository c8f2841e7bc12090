/** Where each key of the service comes from. */
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

/** Names the key-encryption keys. */
export function kekSource({ dataDir, kek }: Pick<KeyOptions, 'dataDir' | 'kek'>): KeySource {
  return { service: 'custody', variable: 'CUSTODY_KEK', text: kek, file: dataDir && join(dataDir, 'kek') }
}

/** Each of them throws an Error that does not quote a key, when what is there is none. */
export function findAllKeys(options: KeyOptions): FindKeys {
  const { dataDir, enclaveKey, organizationId, apiPublicKey } = options
  const kept = (name: string) => dataDir && join(dataDir, name)
  return {
    kek: () => findKeks(kekSource(options)),
    enclave: () => findEnclave({ pem: enclaveKey, file: kept('enclave.pem') }),
    operator: () => findOperator({ organizationId, publicKey: apiPublicKey, file: kept('operator.json') }),
  }
}
