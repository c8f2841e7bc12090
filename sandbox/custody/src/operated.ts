/** Custody as the operator's command sees it. */
import { readFileSync } from 'node:fs'
import { readProgram } from '@keybay/sandbox-service'
import { createEnvelope } from '@keybay/sandbox-service/envelope'
import { lockKeys, rotateKekFile, rotateKeyFile } from '@keybay/sandbox-service/keys'
import { defineOperated, type Operated } from '@keybay/sandbox-service/operated'
import { auditHash } from './audit.js'
import { definition, MONTHLY, openDatabase } from './db/open.js'
import {
  ENCLAVE_NAME,
  formatEnclaveKey,
  getEnclaveFingerprint,
  newEnclaveKey,
  readEnclaveKeys,
  uncompressed,
} from './keys/enclave.js'
import { findAllKeys } from './keys/find.js'
import { createKekEnvelope, findKek, kekSource, openCommand } from './keys/kek.js'
import { PROGRAM } from './program.js'
import { listCopyChecks } from './restored.js'
import { rewrap } from './rotate.js'

export const OPERATED: Operated = defineOperated({
  program: PROGRAM,
  database: definition,
  findKeys: async options => {
    const find = findAllKeys(options, await openCommand(options, Date.now))
    return [find.enclave(), find.kek()]
  },
  listCopyChecks: async (options, databases) => {
    const { value } = findKek(options, await openCommand(options, Date.now))
    return listCopyChecks(createKekEnvelope(value), databases)
  },
  growth: {
    tables: MONTHLY,
    chains: {
      chain: 'organization_id',
      heads: 'select id, audit_sequence as sequence, audit_hash as hash from organizations',
      hash: auditHash,
    },
  },
})

/**
 * Takes the next step of a rotation of the key-encryption key.
 * @param isRestarted the operator's word that every instance has restarted since the last step
 * @throws Error when the key is in no file, or the database is not set
 */
export async function rotateKek(given: NodeJS.ProcessEnv, isRestarted: boolean): Promise<string> {
  const { databaseUrl, kekCommand } = readProgram(PROGRAM, given).options
  const file = given.CUSTODY_KEK_FILE
  if (kekCommand !== undefined)
    throw new Error('The key is behind CUSTODY_KEK_COMMAND. Follow "HSM or KMS" in the README of custody.')
  if (!file || databaseUrl === undefined)
    throw new Error(
      'CUSTODY_KEK_FILE and CUSTODY_DATABASE_URL are needed. Put the key into a file that only you can read.',
    )
  const { db, close } = await openDatabase({ url: databaseUrl })
  try {
    const { service, variable } = kekSource({})
    const rewrapAll = (keks: readonly Uint8Array[]) => rewrap(db, createEnvelope(keks))
    return await rotateKekFile({ service, variable, file, isRestarted, rewrapAll, locked: work => lockKeys(db, work) })
  } finally {
    await close()
  }
}

/**
 * Takes the next step of a rotation of the enclave key.
 * @throws Error when the key is in no file, or the database is not set
 */
export async function rotateEnclave(given: NodeJS.ProcessEnv, isRestarted: boolean): Promise<string> {
  const { databaseUrl } = readProgram(PROGRAM, given).options
  const file = given.CUSTODY_ENCLAVE_KEY_FILE
  if (!file || databaseUrl === undefined)
    throw new Error(
      'CUSTODY_ENCLAVE_KEY_FILE and CUSTODY_DATABASE_URL are needed. Put the key into a file that only you can read.',
    )
  const { db, close } = await openDatabase({ url: databaseUrl })
  const listPublicKeys = () =>
    readEnclaveKeys(readFileSync(file, 'utf8'), file)
      .map(key => uncompressed(key).toString('hex'))
      .join(',')
  try {
    return await rotateKeyFile({
      ...{ service: 'custody', name: ENCLAVE_NAME, file, isRestarted, locked: work => lockKeys(db, work) },
      read: text =>
        readEnclaveKeys(text, file).map(key => ({
          text: formatEnclaveKey(key),
          fingerprint: getEnclaveFingerprint(key),
        })),
      make: newEnclaveKey,
      write: keys => keys.join(''),
      tell: step =>
        step === 1
          ? `Set signerPublicKey of the frame to both public keys: ${listPublicKeys()}. Restart the frame. `
          : '',
      async finish([next]) {
        const text = `the old key signs no more. Give ${file} to every instance and restart each, and set signerPublicKey of the frame to the first of ${listPublicKeys()}.`
        return { kept: next ? [next.text] : [], text }
      },
    })
  } finally {
    await close()
  }
}

/** Returns the mail server of recoveries. */
export function readDeployment(given: NodeJS.ProcessEnv): { readonly smtpUrl: string } {
  const { smtpUrl } = readProgram(PROGRAM, given).options
  return { smtpUrl }
}
