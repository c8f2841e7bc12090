/** API calls that sign in with a login or wallet, or link it if a user is signed in. */
import type { ApiResponse, Kernel } from '@keybay/kernel'
import { KeybayError, sessionMissing, toKeybayError } from '@keybay/kernel/spec'
import type { Entrance, EntranceOptions } from './api.js'
import type { Client } from './client.js'
import { isSignedIn } from './lifecycle.js'
import { createAgreement } from './link-question.js'
import { isObject, read } from './parse/check.js'
import { isMergeNeeded, type MergeNeeded } from './parse/sign-in.js'
import type { Reauthentication } from './reauthentication.js'
import type { Requests } from './request.js'
import type { Keys, ProofKey } from './session-key.js'
import type { Users } from './users.js'

/** Steps that may create a session, and therefore name the token storage. */
const LAST_STEP = /^(wallet|external|(email|phone)\/verify|passkey(\/sign-up)?|social\/[\w-]+\/exchange)$/
/** Its window is open in front of the page by then, so the user is asked at the exchange. */
const BEGINS_SOCIAL_FLOW = /^social\/[\w-]+\/flow$/

/** Maps a sign-in step to its path for linking. */
function getLinkPath(step: string): string {
  if (step.startsWith('social/')) return `/${step.replace(/exchange$/, 'link')}`
  const below = step.startsWith('passkey') ? step.replace(/^passkey(\/sign-up)?/, 'passkeys') : `credentials/${step}`
  return `/users/me/${below}`
}

export interface OpenEntrance extends Entrance {
  /** Key for all steps. */
  readonly key: ProofKey
  /**
   * Asks, once, whether to add the login to the account that is signed in; `post` does too. Does nothing to sign in.
   *
   * @throws KeybayError `user_rejected`
   */
  agree(): Promise<void>
}
interface Parts extends Pick<Requests, 'request' | 'asking'> {
  readonly client: Client
  readonly keys: Keys
  readonly users: Pick<Users, 'get'>
  readonly reauthentication: Pick<Reauthentication, 'isRunning'>
}
export interface EntranceControl {
  open(options?: EntranceOptions): Promise<OpenEntrance>
  /** Returns the key of the request that produced this response. */
  getKey(answer: object): ProofKey | undefined
  /** Returns the merge details if the proved credential belongs to another user. */
  getMerge(answer: object): MergeNeeded | undefined
}

export function createEntrances(
  kernel: Kernel,
  { client, keys, users, request, asking, reauthentication }: Parts,
): EntranceControl {
  const { config, session } = kernel
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
      const { signal, prompt = asking(signal) } = options
      signal?.throwIfAborted()
      await session.restore()
      if (isSignedIn(session.current)) await session.bearer() // The session may have ended.
      const isUser = isSignedIn(session.current)
      const confirms = isUser && reauthentication.isRunning
      const link = isUser && !confirms
      const key = isUser ? await keys.session() : await keys.pending()
      if (!key) throw new KeybayError(sessionMissing)
      const agree = link ? createAgreement(kernel, users, prompt) : async () => {}
      return {
        mode: link ? 'link' : 'sign-in',
        key,
        agree,
        async post(step, body) {
          if (!BEGINS_SOCIAL_FLOW.test(step)) await agree()
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
