/** Requests to R2 in the name of an R1 whose keys the test knows. */
import type { RelayKeys } from '../world.js'
import { type Answer, type ask, getHeaders, jws, send, sha256, type Target } from './request.js'

export interface Forwarded {
  /** Second-factor receipt. */
  readonly mfa?: string | undefined
  /** Data of R1 for R2. */
  readonly extra?: object
}

export function asPeer(r2: ReturnType<Target['next']>, { recordKey, kid }: RelayKeys) {
  const post = (path: string, content: object): Promise<Answer> => {
    const body = JSON.stringify(content)
    const claims = { aud: 'R2', bh: sha256(body), iat: Math.floor(r2.clock.now() / 1000) }
    const signature = jws(recordKey, 'keybay-peer+jwt', claims, { kid })
    return send(`${r2.internalUrl}${path}`, { 'content-type': 'application/json', 'x-keybay-peer': signature }, body)
  }
  return {
    /** Sends a record of R1. @param policy JSON whose hash the record names */
    tell: (record: string, policy = 'null') => post('/peer/record', { environmentId: 'local', record, policy }),
    /** Forwards a request of a frame, or of a delegate (`isAlone`). */
    forward:
      ({ mfa, extra = {} }: Forwarded = {}, isAlone = false): typeof ask =>
      (_, user, path, body, operation) => {
        const rawBody = JSON.stringify(body)
        const all = getHeaders(user, r2.clock.now(), rawBody, operation)
        const names = isAlone ? ['x-keybay-device'] : ['authorization', 'x-keybay-session', 'x-keybay-device']
        const headers = Object.fromEntries(names.map(name => [name, all[name]]))
        return post('/peer', { environmentId: 'local', path, rawBody, headers, mfa, extra })
      },
  }
}
