/** API calls that sign in with a login or wallet, or link it if a user is signed in. */
import type { ApiResponse, Kernel } from '@keybay/kernel'
import { KeybayError, sessionMissing, toKeybayError } from '@keybay/kernel/spec'
import type { Entrance, EntranceOptions } from './api.js'
import type { Client } from './client.js'
import { isSignedIn } from './lifecycle.js'
import { isObject, read } from './parse/check.js'
import { isMergeNeeded, type MergeNeeded } from './parse/sign-in.js'
import type { Reauthentication } from './reauthentication.js'
import type { Request } from './request.js'
import type { Keys, ProofKey } from './session-key.js'

/** Steps that may create a session, and therefore name the token storage. */
const LAST_STEP = /^(wallet|external|(email|phone)\/verify|passkey(\/sign-up)?|social\/[\w-]+\/exchange)$/

/** Maps a sign-in step to its path for linking. */
function getLinkPath(step: string): string {
  if (step.startsWith('social/')) return `/${step.replace(/exchange$/, 'link')}`
  const below = step.startsWith('passkey') ? step.replace(/^passkey(\/sign-up)?/, 'passkeys') : `credentials/${step}`
  return `/users/me/${below}`
}

export interface OpenEntrance extends Entrance {
  /** Key for all steps. */
  readonly key: ProofKey
}
export interface EntranceControl {
  open(options?: EntranceOptions): Promise<OpenEntrance>
  /** Returns the key of the request that produced this response. */
  getKey(answer: object): ProofKey | undefined
  /** Returns the merge details if the proved credential belongs to another user. */
  getMerge(answer: object): MergeNeeded | undefined
}

export function createEntrances(
  { config, session }: Kernel,
  client: Client,
  keys: Keys,
  request: Request,
  reauthentication: Pick<Reauthentication, 'isRunning'>,
): EntranceControl {
  const getKey = new WeakMap<object, ProofKey>()
  const getMerge = new WeakMap<object, MergeNeeded>()
  const linking = async (path: string, body: unknown, { signal, prompt }: EntranceOptions): Promise<ApiResponse> => {
    try {
      return read(isObject, await request(path, { method: 'POST', body, signal }, prompt))
    } catch (thrown) {
      const { code, details } = toKeybayError(thrown)
      if (code !== 'merge_accounts_confirmation' || !isMergeNeeded(details)) throw thrown
      // The code was right, so its prompt may close; other prompts follow when the proof is exchanged.
      const answer = Object.freeze({})
      getMerge.set(answer, details)
      return answer
    }
  }
  return {
    async open(options = {}) {
      const { signal } = options
      signal?.throwIfAborted()
      await session.restore()
      if (isSignedIn(session.current)) await session.bearer() // The session may have ended.
      const isUser = isSignedIn(session.current)
      const confirms = isUser && reauthentication.isRunning
      const link = isUser && !confirms
      const key = isUser ? await keys.session() : await keys.pending()
      if (!key) throw new KeybayError(sessionMissing)
      return {
        mode: link ? 'link' : 'sign-in',
        key,
        async post(step, body) {
          if (link) return linking(getLinkPath(step), body, options)
          const added = confirms
            ? { sessionId: key.sessionId }
            : config.cookieStorage && ({ storage: 'cookie' } as const)
          const response = await client.send(step.startsWith('social/') ? `/${step}` : `/auth/${step}`, {
            method: 'POST',
            key,
            anonymous: true,
            signal,
            body: added && LAST_STEP.test(step) ? { ...(isObject(body) && body), ...added } : body,
          })
          const answer = read(isObject, response)
          getKey.set(answer, key)
          return answer
        },
      }
    },
    getKey: answer => getKey.get(answer),
    getMerge: answer => getMerge.get(answer),
  }
}
