/**
 * `dynamic`: the envelope at the product API, for users without a drive. Its operator also has a relay's share, so such
 * an envelope is only sealed under a recovery code or a passkey, which cannot be guessed.
 */
import { fromBase64Url, KeybayError, toBase64Url } from '@keybay/kernel/spec'
import type { Authority } from '@keybay/waas/relay-client'
import * as v from 'valibot'
import { frameError } from '../../errors/errors.js'
import type { CloudDrive } from '../store.js'
import { ask, type Fetch, join, readJson } from './http.js'

export interface ProductApiAccess {
  readonly baseApiUrl: string
  readonly environmentId: string
  readonly authority: Pick<Authority, 'token' | 'signedSessionId'>
  readonly fetch: Fetch
  readonly signal: AbortSignal
}
/** HTTP status of `key_share_already_backed_up`. */
const ALREADY_KEPT = 409
const list = v.object({ backups: v.array(v.object({ id: v.pipe(v.string(), v.uuid()), epoch: v.number() })) })
const stored = v.object({ envelope: v.pipe(v.string(), v.regex(/^[\w-]+$/)) })

export function productApi({ baseApiUrl, environmentId, authority, fetch, signal }: ProductApiAccess): CloudDrive {
  const path = (walletId: string) => `sdk/${environmentId}/backups/${encodeURIComponent(walletId)}`
  const headers = { authorization: `Bearer ${authority.token}`, 'x-keybay-session': authority.signedSessionId }
  const request = (path: string, method: string, body?: object) => {
    const json = body && { body: JSON.stringify(body), headers: { ...headers, 'content-type': 'application/json' } }
    return ask(fetch, join(baseApiUrl, path), { method, headers, ...json, signal })
  }
  return {
    provider: 'dynamic',
    async upload({ walletId, epoch }, envelope) {
      await request(path(walletId), 'POST', { epoch, envelope: toBase64Url(envelope) }).catch((error: unknown) => {
        // The API already has this envelope, because the response to an earlier request was lost.
        if (!(error instanceof KeybayError) || error.status !== ALREADY_KEPT) throw error
      })
    },
    list: async walletId => {
      const { backups } = await readJson(await request(path(walletId), 'GET'), list)
      return backups.map(({ id, epoch }) => ({ id, epoch, url: `${path(walletId)}/${id}` }))
    },
    async download({ url }) {
      if (url === undefined) throw frameError('frame_backup_failed')
      return fromBase64Url((await readJson(await request(url, 'GET'), stored)).envelope)
    },
    async remove({ url }) {
      if (url !== undefined) await request(url, 'DELETE')
    },
  }
}
