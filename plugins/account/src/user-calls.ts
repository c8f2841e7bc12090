/** Calls that change or read the signed-in user: profile, credentials, sessions, deletion. */
import type { Kernel } from '@keybay/kernel'
import { KeybayError, sessionMissing } from '@keybay/kernel/spec'
import type { AccountApi } from './api.js'
import type { Client } from './client.js'
import { isSignedIn, type Lifecycle } from './lifecycle.js'
import { read } from './parse/check.js'
import { isCredential, isEnded, isSecurityLogPage, isSessionList, isUser, isUserExport } from './parse/user.js'
import { signJws } from './proof.js'
import type { Request } from './request.js'
import type { Keys } from './session-key.js'
import type { Users } from './users.js'

export interface UserCallParts {
  readonly client: Client
  readonly keys: Keys
  readonly lifecycle: Lifecycle
  readonly users: Users
  readonly request: Request
}

export type CredentialCalls = Pick<AccountApi, 'unlink' | 'renameCredential'>
export type UserCalls = Pick<AccountApi, 'updateUser' | 'deleteUser' | 'restoreUser' | 'exportData'>
export type SessionCalls = Pick<
  AccountApi,
  'sessions' | 'endSession' | 'endOtherSessions' | 'signOutEverywhere' | 'securityLog' | 'signSession'
>

function getPath(collection: string, id: string): string {
  return `${collection}/${encodeURIComponent(id)}`
}

export function createCredentialCalls({ session, events }: Kernel, { request, users }: UserCallParts): CredentialCalls {
  return {
    async unlink(id, { signal } = {}) {
      await request(getPath('/users/me/credentials', id), { method: 'DELETE', signal })
      const { userId } = session.current
      if (userId !== undefined) events.emit('account:credentials-changed', { userId })
      await users.changed()
    },
    async renameCredential(id, name, { signal } = {}) {
      const answer = await request(getPath('/users/me/credentials', id), { method: 'PATCH', body: { name }, signal })
      const credential = read(isCredential, answer)
      await users.changed()
      return credential
    },
  }
}

export function createUserCalls({ request, users, lifecycle }: UserCallParts): UserCalls {
  const show = (answer: unknown) => {
    const user = read(isUser, answer)
    users.show(user)
    users.tell()
    return user
  }
  return {
    updateUser: async ({ username, metadata }, { signal } = {}) =>
      show(await request('/users/me', { method: 'PATCH', body: { username, metadata }, signal })),
    async deleteUser({ signal } = {}) {
      await request('/users/me', { method: 'DELETE', signal })
      await lifecycle.forget()
    },
    exportData: async ({ signal } = {}) =>
      read(isUserExport, await request('/users/me/export', { method: 'POST', signal })),
    restoreUser: async ({ signal } = {}) => show(await request('/users/me/restore', { method: 'POST', signal })),
  }
}

export function createSessionCalls({ clock, session }: Kernel, parts: UserCallParts): SessionCalls {
  const { client, keys, lifecycle, request } = parts
  return {
    sessions: async options => read(isSessionList, await request('/sessions', options)).sessions,
    async endSession(id, { signal } = {}) {
      if (id === (await keys.session())?.sessionId) return lifecycle.signOut()
      await request(getPath('/sessions', id), { method: 'DELETE', signal })
    },
    endOtherSessions: async ({ signal } = {}) =>
      read(isEnded, await request('/sessions', { method: 'DELETE', signal })).ended,
    async securityLog({ before, signal } = {}) {
      const query = before === undefined ? '' : `?before=${encodeURIComponent(before)}`
      return read(isSecurityLogPage, await request(`/users/me/security-log${query}`, { signal }))
    },
    async signOutEverywhere({ signal } = {}) {
      await request('/auth/sign-out-everywhere', { method: 'POST', signal })
      await lifecycle.leave()
    },
    async signSession({ operation, wallet, hash }) {
      await session.bearer()
      const key = await keys.session()
      const sid = key?.sessionId
      if (!isSignedIn(session.current) || !key || sid === undefined) throw new KeybayError(sessionMissing)
      const claims = {
        sid,
        op: operation,
        ...(wallet !== undefined && { wallet }),
        hash,
        origin: location.origin,
        iat: Math.floor((clock.now() + client.skew) / 1000),
        jti: crypto.randomUUID(),
      }
      return signJws(key, { typ: 'keybay-session+jwt' }, claims)
    },
  }
}
