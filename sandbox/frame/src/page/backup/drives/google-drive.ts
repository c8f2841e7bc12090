/**
 * Google Drive v3, in the user's `appDataFolder`, which only this app can access.
 * https://developers.google.com/workspace/drive/api/guides/appdata, …/manage-uploads (multipart), …/search-files
 */
import { utf8 } from '@keybay/kernel/spec'
import * as v from 'valibot'
import type { BackupName, StoredCopy } from '../store.js'
import { ask, type Fetch, join, readBytes, readJson } from './http.js'

/** Narrowest scope that Google offers: only this app's hidden folder, none of the user's visible files. */
export const DRIVE_SCOPE = 'https://www.googleapis.com/auth/drive.appdata'
const FOLDER = 'appDataFolder'
const MAX_PAGES = 20

const page = v.object({
  nextPageToken: v.optional(v.string()),
  files: v.array(
    v.object({
      id: v.pipe(v.string(), v.regex(/^[\w-]{1,256}$/)),
      appProperties: v.optional(v.object({ keybayEpoch: v.optional(v.string()) }), {}),
    }),
  ),
})
/** Google may omit the email address. https://developers.google.com/workspace/drive/api/reference/rest/v3/User */
const about = v.object({
  user: v.object({ permissionId: v.pipe(v.string(), v.minLength(1)), emailAddress: v.optional(v.string()) }),
})
/** Escapes quotes and backslashes: https://developers.google.com/workspace/drive/api/guides/ref-search-terms */
function quoted(text: string): string {
  return `'${text.replace(/['\\]/g, '\\$&')}'`
}

export interface DriveAccess {
  /** e.g. `https://www.googleapis.com` */
  readonly apiUrl: string
  readonly token: string
  readonly fetch: Fetch
  readonly signal: AbortSignal
}

export function googleDrive({ apiUrl, token, fetch, signal }: DriveAccess) {
  const authorization = `Bearer ${token}`
  const request = (url: string, init: RequestInit = {}, type?: string) =>
    ask(fetch, url, { ...init, headers: { authorization, ...(type && { 'content-type': type }) }, signal })
  const file = (id: string) => `drive/v3/files/${encodeURIComponent(id)}`
  return {
    provider: 'googleDrive' as const,
    async account() {
      const query = { fields: 'user(permissionId,emailAddress)' }
      const { user } = await readJson(await request(join(apiUrl, 'drive/v3/about', query)), about)
      const { permissionId: id, emailAddress: email } = user
      return { id, name: email || id, email: email?.toLowerCase() }
    },
    async upload({ walletId, epoch, fileName }: BackupName, envelope: Uint8Array) {
      const metadata = {
        name: fileName,
        parents: [FOLDER],
        mimeType: 'application/octet-stream',
        appProperties: { keybayWallet: walletId, keybayEpoch: String(epoch) },
      }
      const boundary = `keybay-${crypto.randomUUID()}`
      const head = `--${boundary}\r\ncontent-type: application/json; charset=UTF-8\r\n\r\n${JSON.stringify(metadata)}\r\n--${boundary}\r\ncontent-type: application/octet-stream\r\n\r\n`
      const body = new Blob([utf8(head), new Uint8Array(envelope), utf8(`\r\n--${boundary}--\r\n`)])
      const url = join(apiUrl, 'upload/drive/v3/files', { uploadType: 'multipart', fields: 'id' })
      await request(url, { method: 'POST', body }, `multipart/related; boundary=${boundary}`)
    },
    async list(walletId: string) {
      const copies: StoredCopy[] = []
      let pageToken: string | undefined
      for (let pages = 0; pages < MAX_PAGES; pages += 1) {
        const query = {
          spaces: FOLDER,
          q: `appProperties has { key='keybayWallet' and value=${quoted(walletId)} } and trashed = false`,
          orderBy: 'createdTime desc',
          fields: 'nextPageToken,files(id,appProperties)',
          pageSize: '100',
          pageToken,
        }
        const answer = await readJson(await request(join(apiUrl, 'drive/v3/files', query)), page)
        for (const { id, appProperties } of answer.files) copies.push({ id, epoch: Number(appProperties.keybayEpoch) })
        pageToken = answer.nextPageToken
        if (pageToken === undefined) break
      }
      return copies
    },
    download: async ({ id }: StoredCopy) => readBytes(await request(join(apiUrl, file(id), { alt: 'media' }))),
    async remove({ id }: StoredCopy) {
      await request(join(apiUrl, file(id)), { method: 'DELETE' })
    },
  }
}
