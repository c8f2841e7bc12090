/**
 * `dynamic`: the envelope at the product API, for users without a drive. Its operator also has a relay's share, so such
 * an envelope is only sealed under a recovery code or a passkey, which cannot be guessed.
 */
import { fromBase64Url, KeybayError, MFA_METHODS, toBase64Url } from '@keybay/kernel/spec'
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
const copies = v.array(v.object({ id: v.pipe(v.string(), v.uuid()), epoch: v.number() }))
const list = v.object({ backups: copies, erased: copies })
const stored = v.object({ envelope: v.pipe(v.string(), v.regex(/^[\w-]+$/)) })
const refusal = v.object({
  code: v.literal('reauthentication_required'),
  details: v.object({ devices: v.array(v.object({ method: v.picklist(MFA_METHODS) })) }),
})

function getSender({ baseApiUrl, environmentId, authority, fetch, signal }: ProductApiAccess) {
  const headers = { authorization: `Bearer ${authority.token}`, 'x-keybay-session': authority.signedSessionId }
  /** @throws KeybayError `reauthentication_required`, with the user's second factors, because the user can continue */
  const send: Fetch = async (url, init) => {
    const response = await fetch(url, init)
    if (response.status !== 403) return response
    const copy = response.clone()
    const { success, output } = v.safeParse(refusal, await copy.json().catch(() => undefined))
    if (success) throw frameError('reauthentication_required', { status: 403, details: output.details })
    return response
  }
  return (path: string, method: string, body?: object) => {
    const json = body && { body: JSON.stringify(body), headers: { ...headers, 'content-type': 'application/json' } }
    return ask(send, join(baseApiUrl, `sdk/${environmentId}/${path}`), { method, headers, ...json, signal })
  }
}

/** Purpose of an operation there: keep a new backup, or also read or erase other copies, which needs the user's presence. */
export type ProductApiUse = 'keep' | 'read-or-erase'

/** Returns true if the user has a second factor that a visible frame can ask for instead. */
export function canEnterFactor(error: unknown): boolean {
  const { success, output } = v.safeParse(refusal, error)
  return success && output.details.devices.some(({ method }) => method !== 'passkey')
}

/** Registers this frame's key for the user. @throws KeybayError `reauthentication_required`, and as every request */
export async function registerFrame(access: ProductApiAccess, use: ProductApiUse): Promise<void> {
  await getSender(access)(use === 'keep' ? 'frame-keys' : 'frame-keys/presence', 'POST')
}

export function productApi(access: ProductApiAccess): CloudDrive {
  const request = getSender(access)
  const path = (walletId: string) => `backups/${encodeURIComponent(walletId)}`
  const readList = async (walletId: string, kind: 'backups' | 'erased') => {
    const answer = await readJson(await request(path(walletId), 'GET'), list)
    return answer[kind].map(({ id, epoch }) => ({ id, epoch, url: `${path(walletId)}/${id}` }))
  }
  return {
    provider: 'dynamic',
    async upload({ walletId, epoch }, envelope) {
      await request(path(walletId), 'POST', { epoch, envelope: toBase64Url(envelope) }).catch((error: unknown) => {
        // The API already has this envelope, because the response to an earlier request was lost.
        if (!(error instanceof KeybayError) || error.status !== ALREADY_KEPT) throw error
      })
    },
    list: walletId => readList(walletId, 'backups'),
    erased: {
      list: walletId => readList(walletId, 'erased'),
      async restore({ url }) {
        if (url !== undefined) await request(`${url}/restore`, 'POST')
      },
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
