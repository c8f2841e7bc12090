/** The calls of a login or wallet to sign in, or to link when a user is signed in. */

import type { Kernel } from '@keybay/kernel'
import { KeybayError, sessionMissing, toKeybayError } from '@keybay/kernel/spec'
import type { Entrance, EntranceOptions } from './api.js'
import type { Client } from './client.js'
import { isSignedIn } from './lifecycle.js'
import { isObject } from './parse/check.js'
import { isMergeNeeded, type MergeNeeded } from './parse/sign-in.js'
import type { Request } from './request.js'
import type { Keys, ProofKey } from './session-key.js'

/** Steps that may create a session, and so name where its tokens are stored. */
const LAST_STEP = /^(wallet|external|(email|phone)\/verify|passkey(\/sign-up)?|social\/[\w-]+\/exchange)$/

/** Returns the path of a sign-in's step for linking. */
function getLinkPath(step: string): string {
  if (step.startsWith('social/')) return `/${step.replace(/exchange$/, 'link')}`
  const below = step.startsWith('passkey') ? step.replace(/^passkey(\/sign-up)?/, 'passkeys') : `credentials/${step}`
  return `/users/me/${below}`
}

export interface OpenEntrance extends Entrance {
  /** All steps use this key. */
  readonly key: ProofKey
}
export interface EntranceControl {
  open(options?: EntranceOptions): Promise<OpenEntrance>
  /** The key of the request that returned this response. */
  keyOf(answer: object): ProofKey | undefined
  /** Set if another user has the proved credential. */
  mergeOf(answer: object): MergeNeeded | undefined
}

export function createEntrances(
  { config, session }: Kernel,
  client: Client,
  keys: Keys,
  request: Request,
): EntranceControl {
  const keyOf = new WeakMap<object, ProofKey>()
  const mergeOf = new WeakMap<object, MergeNeeded>()
  const linking = async (path: string, body: unknown, { signal, prompt }: EntranceOptions): Promise<unknown> => {
    try {
      return await request(path, { method: 'POST', body, signal }, prompt)
    } catch (thrown) {
      const { code, details } = toKeybayError(thrown)
      if (code !== 'merge_accounts_confirmation' || !isMergeNeeded(details)) throw thrown
      // The proof was right, so a code's prompt may close; the user is asked when the proof is exchanged.
      const answer = Object.freeze({})
      mergeOf.set(answer, details)
      return answer
    }
  }
  return {
    async open(options = {}) {
      const { signal } = options
      signal?.throwIfAborted()
      await session.restore()
      if (isSignedIn(session.current)) await session.bearer() // it may be over
      const link = isSignedIn(session.current)
      const key = link ? await keys.session() : await keys.pending()
      if (!key) throw new KeybayError(sessionMissing)
      return {
        mode: link ? 'link' : 'sign-in',
        key,
        async post(step, body) {
          if (link) return linking(getLinkPath(step), body, options)
          const stored = config.cookieStorage && LAST_STEP.test(step)
          const answer = await client.send(step.startsWith('social/') ? `/${step}` : `/auth/${step}`, {
            method: 'POST',
            key,
            anonymous: true,
            signal,
            body: stored ? { ...(isObject(body) && body), storage: 'cookie' } : body,
          })
          if (isObject(answer)) keyOf.set(answer, key)
          return answer
        },
      }
    },
    keyOf: answer => keyOf.get(answer),
    mergeOf: answer => mergeOf.get(answer),
  }
}
