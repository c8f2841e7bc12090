/**
 * iCloud: the private database of the host's CloudKit container, over CloudKit web services.
 * https://developer.apple.com/library/archive/documentation/DataManagement/Conceptual/CloudKitWebServicesReference/
 * (Composing Web Service Requests, Modifying Records, Fetching Records Using a Query, Uploading Assets). Apple accepts
 * both tokens only in the URL. Each web token works once, and the response contains the next one.
 */
import { aborted, KeybayError } from '@keybay/kernel/spec'
import type { Answer } from '@keybay/waas/relay-client'
import * as v from 'valibot'
import { frameError } from '../../errors/errors.js'
import type { CloudDrive, StoredCopy } from '../store.js'
import { ask, type Fetch, join, readBytes, readJson } from './http.js'

export interface CloudKitContainer {
  /** e.g. `https://api.apple-cloudkit.com` */
  readonly apiUrl: string
  /** e.g. `iCloud.com.example.wallet` */
  readonly container: string
  readonly environment: 'development' | 'production'
  /** API token, created in the CloudKit console for this frame's origin. Not a secret. */
  readonly apiToken: string
}
export interface CloudKitAccess extends CloudKitContainer {
  readonly token: string
  readonly fetch: Fetch
  readonly signal: AbortSignal
}
const RECORD_TYPE = 'KeybayBackup'
const FIELD = 'envelope'
const NEXT_TOKEN = 'x-apple-cloudkit-web-auth-token'
const MAX_PAGES = 20

function getPath({ container, environment }: CloudKitContainer): string {
  return `database/1/${encodeURIComponent(container)}/${environment}`
}

const authenticate = v.object({ redirectURL: v.pipe(v.string(), v.url()) })

/**
 * Returns the iCloud sign-in URL, taken from the error of a request that needs a user (421, `AUTHENTICATION_REQUIRED`).
 * @throws KeybayError `frame_backup_refused` for a wrong API token, `frame_backup_unreachable`
 */
export async function iCloudSignIn(access: CloudKitContainer, fetch: Fetch, signal: AbortSignal): Promise<string> {
  const url = join(access.apiUrl, `${getPath(access)}/public/users/caller`, { ckAPIToken: access.apiToken })
  const response = await fetch(url, { credentials: 'omit', cache: 'no-store', signal }).catch(() => {
    throw signal.aborted ? new KeybayError(aborted) : frameError('frame_backup_unreachable')
  })
  if (response.status !== 421) throw frameError('frame_backup_refused', { status: response.status })
  return (await readJson(response, authenticate)).redirectURL
}

const tokens = v.object({
  tokens: v.pipe(v.array(v.object({ recordName: v.string(), url: v.pipe(v.string(), v.url()) })), v.minLength(1)),
})
const uploaded = v.object({ singleFile: v.record(v.string(), v.union([v.string(), v.number()])) })
const record = v.object({
  recordName: v.string(),
  serverErrorCode: v.optional(v.string()),
  fields: v.optional(
    v.object({
      [FIELD]: v.optional(v.object({ value: v.object({ downloadURL: v.optional(v.pipe(v.string(), v.url())) }) })),
      epoch: v.optional(v.object({ value: v.optional(v.number()) })),
    }),
  ),
})
/** Apple returns the name only of users who allow it (“Fetching Current User”). */
const currentUser = v.object({
  userRecordName: v.pipe(v.string(), v.minLength(1)),
  firstName: v.optional(v.string()),
  lastName: v.optional(v.string()),
})
const records = v.object({ records: v.array(record), continuationMarker: v.optional(v.string()) })

export function iCloud(access: CloudKitAccess): CloudDrive {
  const { apiUrl, apiToken: ckAPIToken, fetch, signal } = access
  let ckWebAuthToken = access.token
  const send = async <T>(path: string, init: RequestInit, schema: Answer<T>): Promise<T> => {
    const url = join(apiUrl, `${getPath(access)}/${path}`, { ckAPIToken, ckWebAuthToken })
    const response = await ask(fetch, url, { ...init, signal })
    ckWebAuthToken = response.headers.get(NEXT_TOKEN) ?? ckWebAuthToken
    return readJson(response, schema)
  }
  const call = <T>(operation: string, body: object, schema: Answer<T>): Promise<T> => {
    // `text/plain` avoids a CORS preflight; Apple's own examples do the same.
    const headers = { 'content-type': 'text/plain' }
    return send(`private/${operation}`, { method: 'POST', body: JSON.stringify(body), headers }, schema)
  }
  const modify = async (operation: object): Promise<void> => {
    const answer = await call('records/modify', { operations: [operation] }, records)
    // CloudKit reports a rejected record inside a successful response.
    const refused = answer.records.find(({ serverErrorCode }) => serverErrorCode !== undefined)
    if (refused) throw frameError('frame_backup_failed', { detail: refused.serverErrorCode })
  }
  return {
    provider: 'icloud',
    async account() {
      const { userRecordName: id, firstName, lastName } = await send('public/users/current', {}, currentUser)
      return { id, name: [firstName, lastName].filter(Boolean).join(' ') || id }
    },
    async upload({ walletId, epoch, fileName }, envelope) {
      const tokenRequest = { tokens: [{ recordType: RECORD_TYPE, fieldName: FIELD }] }
      const [place] = (await call('assets/upload', tokenRequest, tokens)).tokens
      if (!place) throw frameError('frame_backup_failed')
      const body = new Blob([new Uint8Array(envelope)])
      const { singleFile } = await readJson(await ask(fetch, place.url, { method: 'POST', body, signal }), uploaded)
      const fields = {
        [FIELD]: { value: singleFile, type: 'ASSETID' },
        walletId: { value: walletId, type: 'STRING' },
        epoch: { value: epoch, type: 'INT64' },
        name: { value: fileName, type: 'STRING' },
      }
      const created = { recordName: place.recordName, recordType: RECORD_TYPE, fields }
      await modify({ operationType: 'create', record: created })
    },
    async list(walletId) {
      const copies: StoredCopy[] = []
      let continuationMarker: string | undefined
      for (let pages = 0; pages < MAX_PAGES; pages += 1) {
        const query = {
          recordType: RECORD_TYPE,
          filterBy: [{ fieldName: 'walletId', comparator: 'EQUALS', fieldValue: { value: walletId, type: 'STRING' } }],
          sortBy: [{ systemFieldName: 'createdTimestamp', ascending: false }],
        }
        const answer = await call(
          'records/query',
          { query, ...(continuationMarker && { continuationMarker }) },
          records,
        )
        for (const { recordName, fields } of answer.records)
          copies.push({ id: recordName, url: fields?.[FIELD]?.value.downloadURL, epoch: fields?.epoch?.value })
        continuationMarker = answer.continuationMarker
        if (continuationMarker === undefined) break
      }
      return copies
    },
    async download({ url }) {
      if (url === undefined) throw frameError('frame_backup_failed')
      // Apple's URL contains a placeholder for the file name.
      return readBytes(await ask(fetch, url.replace(/\$\{f\}|%24%7Bf%7D/i, 'backup.keybay'), { signal }))
    },
    remove: ({ id }) => modify({ operationType: 'forceDelete', record: { recordName: id, recordType: RECORD_TYPE } }),
  }
}
