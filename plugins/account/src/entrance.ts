/** The way in: to sign in, or to link when somebody is signed in. Logins and wallets talk through it alike. */

import type { Kernel } from '@keybay/kernel'
import { KeybayError, sessionMissing, toKeybayError } from '@keybay/kernel/spec'
import type { Entrance, EntranceOptions } from './api.js'
import type { Client } from './client.js'
import { isSignedIn } from './lifecycle.js'
import { isObject } from './parse/check.js'
import { isMergeNeeded, type MergeNeeded } from './parse/sign-in.js'
import type { Request } from './request.js'
import type { Keys, ProofKey } from './session-key.js'

/** Steps that may end in a session, and so say where its tokens are to be kept. */
const LAST_STEP = /^(wallet|external|(email|phone)\/verify|passkey(\/sign-up)?|social\/[\w-]+\/exchange)$/

/** Where the step of a sign-in is for who links. */
function linkPath(step: string): string {
  if (step.startsWith('social/')) return `/${step.replace(/exchange$/, 'link')}`
  const below = step.startsWith('passkey') ? step.replace(/^passkey(\/sign-up)?/, 'passkeys') : `credentials/${step}`
  return `/users/me/${below}`
}

export interface OpenEntrance extends Entrance {
  /** What is begun with this key is ended with it. */
  readonly key: ProofKey
}
export interface EntranceControl {
  open(options?: EntranceOptions): Promise<OpenEntrance>
  /** Which key an answer was got with. */
  keyOf(answer: object): ProofKey | undefined
  /** Set when the answer is that another user has what was proved. */
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
      // The user is asked when the proof is exchanged: it was right, and a code's question may close.
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
          if (link) return linking(linkPath(step), body, options)
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
