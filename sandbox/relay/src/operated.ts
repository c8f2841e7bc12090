/** A relay as the operator's command sees it. */
import { readFileSync, statSync } from 'node:fs'
import { MFA_ACTIONS } from '@keybay/kernel/spec'
import { readProgram } from '@keybay/sandbox-service'
import { createEnvelope } from '@keybay/sandbox-service/envelope'
import { lockKeys, rotateKekFile, rotateKeyFile } from '@keybay/sandbox-service/keys'
import { defineOperated, type Operated } from '@keybay/sandbox-service/operated'
import { definition, MONTHLY, openDatabase } from './db/open.js'
import { readEnvironments } from './environments.js'
import { exportLog } from './export-log.js'
import { toText } from './http/fields.js'
import { findAllKeys, getKeyList, kekSource, type PartyKeyName, type PartyKeys } from './party.js'
import { readPeerKeys } from './peer.js'
import { getProgram } from './program.js'
import { listCopyChecks } from './restored.js'
import { rotate } from './rotate.js'
import type { RelayParty } from './services.js'
import { hashEntry } from './store/audit.js'

type PartyNumber = 1 | 2

function getName(party: PartyNumber): RelayParty {
  return party === 1 ? 'R1' : 'R2'
}

export function getOperated(party: PartyNumber): Operated {
  return defineOperated({
    program: getProgram(party),
    database: definition,
    findKeys: async options => {
      const find = findAllKeys(options, getName(party))
      return [find.keys(), find.kek()]
    },
    listCopyChecks: async (options, databases) => listCopyChecks(options, getName(party), databases),
    growth: {
      tables: MONTHLY,
      chains: {
        chain: 'set_id',
        heads: 'select id, audit_sequence as sequence, audit_head as hash from share_sets',
        hash: hashEntry,
      },
    },
  })
}

function describe({ recordKeys, sealing }: PartyKeys, party: PartyNumber) {
  return { party: getName(party), recordKeys: [...recordKeys.values()], sealingKey: toText(sealing.publicKey) }
}

/** Returns the public keys of a party as `GET /party` answers them. @param keys value of RELAY_KEYS */
export function describeParty(keys: string, party: PartyNumber) {
  return describe(findAllKeys({ keys }, getName(party)).keys().value, party)
}

/**
 * Reads the log of signed records from a party's database.
 * @throws Error when its keys or its database are not set
 */
export async function exportRecords(given: NodeJS.ProcessEnv, party: PartyNumber) {
  const { options } = readProgram(getProgram(party), given)
  const { value: keys, source } = findAllKeys({ ...options, dataDir: undefined }, getName(party)).keys()
  if (source.isNew || options.databaseUrl === undefined)
    throw new Error('RELAY_KEYS and RELAY_DATABASE_URL are needed. Set them, or the files that hold them.')
  const { db, close } = await openDatabase({ url: options.databaseUrl })
  try {
    const log = await exportLog({ db, keys, party: getName(party), now: Date.now() })
    return { log, answer: JSON.stringify(describe(keys, party)) }
  } finally {
    await close()
  }
}

/**
 * Takes the next step of a rotation of the key-encryption key.
 * @param isRestarted the operator's word that every instance has restarted since the last step
 * @throws Error when the key is in no file, or the database is not set
 */
export async function rotateKek(given: NodeJS.ProcessEnv, party: PartyNumber, isRestarted: boolean): Promise<string> {
  const { databaseUrl } = readProgram(getProgram(party), given).options
  const file = given.RELAY_KEK_FILE
  if (!file || databaseUrl === undefined)
    throw new Error('RELAY_KEK_FILE and RELAY_DATABASE_URL are needed. Put the key into a file that only you can read.')
  const { db, close } = await openDatabase({ url: databaseUrl })
  try {
    const { service, variable } = kekSource({ file }, getName(party))
    const rewrapAll = (keks: readonly Uint8Array[]) => rotate(db, createEnvelope(keks))
    return await rotateKekFile({ service, variable, file, isRestarted, rewrapAll, locked: work => lockKeys(db, work) })
  } finally {
    await close()
  }
}

/** Longest life of a message that is sealed to a party, in ms. */
const SEALED_FOR_MS = 3_600_000

/** Says who must know the keys before the next step. */
function tellOthers(party: PartyNumber, name: PartyKeyName, file: string): string {
  const others = ['the other relay (RELAY_PEER_KEYS)', 'the frame’s configuration']
  if (party === 1 && name === 'record') others.push('the API (API_RECORD_KEYS)')
  const answer = JSON.stringify(describeParty(readFileSync(file, 'utf8'), party))
  return `Its public keys are ${answer}. Give them to ${others.join(', ')}, and restart those first. `
}

/**
 * Takes the next step of a rotation of the record key or the sealing key.
 * @param now ms since epoch
 * @throws Error when the keys are in no file, or the database is not set
 */
export async function rotatePartyKey(
  given: NodeJS.ProcessEnv,
  party: PartyNumber,
  name: PartyKeyName,
  { isRestarted, now }: { readonly isRestarted: boolean; readonly now: number },
): Promise<string> {
  const { databaseUrl } = readProgram(getProgram(party), given).options
  const file = given.RELAY_KEYS_FILE
  if (!file || databaseUrl === undefined)
    throw new Error(
      'RELAY_KEYS_FILE and RELAY_DATABASE_URL are needed. Put the keys into a file that only you can read.',
    )
  const { db, close } = await openDatabase({ url: databaseUrl })
  const restart = `Give ${file} to every instance and restart each.`
  try {
    return await rotateKeyFile({
      ...{ service: getName(party), name, file, isRestarted, ...getKeyList(getName(party), name, file) },
      locked: work => lockKeys(db, work),
      // Others need a record key before it signs, and a sealing key once every instance opens with it.
      tell: step => (step === (name === 'record' ? 1 : 2) ? tellOthers(party, name, file) : ''),
      async finish([next, old, ...others]) {
        if (!next || !old) throw new Error(`${file} has one key.`)
        const texts = others.map(({ text }) => text)
        if (name === 'record')
          return {
            kept: [next.text, dropSecret(old.text), ...texts],
            text: `the old key signs no more. Its public half stays, for the records that it has signed. ${restart}`,
          }
        const ends = statSync(file).mtimeMs + SEALED_FOR_MS
        if (now < ends)
          throw new Error(
            `Messages may still be sealed to the old key. Run this again after ${new Date(ends).toISOString()}, or an hour after the other relay and the frame have the new key if that is later.`,
          )
        return { kept: [next.text, ...texts], text: `the old key is gone. ${restart}` }
      },
    })
  } finally {
    await close()
  }
}

function dropSecret(text: string): string {
  const { d: _, ...key } = JSON.parse(text)
  return JSON.stringify(key)
}

/** Reads the services around a relay, as its environment names them. @throws Error when it could not start with these variables */
export function readDeployment(given: NodeJS.ProcessEnv, party: PartyNumber) {
  const { env, options } = readProgram(getProgram(party), given)
  const { peerUrl, peerKeys } = options
  const peer = peerKeys === undefined ? undefined : readPeerKeys(peerKeys)
  return {
    peerUrl,
    peerKeys: peer && { recordKeys: [...peer.recordKeys.values()], sealingKey: toText(peer.sealingKey) },
    environments: [...readEnvironments(options.environments).values()].map(({ id, apiUrl, rpcUrl, apiToken }) => ({
      id,
      apiUrl,
      rpcUrl,
      apiToken: apiToken ?? env.RELAY_API_TOKEN,
    })),
    /** Body of a redemption that the API refuses after it has accepted the relay's token. */
    unknownToken: { action: MFA_ACTIONS[0], requestHash: 'A'.repeat(43), mfaToken: 'A'.repeat(43) },
  }
}
