/** Store behind `keybay.account.user`: loads with its first reader, and follows this tab and other tabs. */
import type { Kernel, Store } from '@keybay/kernel'
import { toKeybayError } from '@keybay/kernel/spec'
import type { CallOptions, UserState } from './api.js'
import { isSignedIn, type Lifecycle } from './lifecycle.js'
import { read } from './parse/check.js'
import { isUser } from './parse/user.js'
import type { Request } from './request.js'
import type { User } from './user.js'

const CHANGED = 'account:user'
const NONE: UserState = { status: 'none' }

export interface Users {
  /** Returns the signed-in user; loads it if necessary. */
  get(signal?: AbortSignal): Promise<User | undefined>
  refresh(options?: CallOptions): Promise<User | undefined>
  /** Shows a user that the API just returned. */
  show(user: User): void
  /** Makes the other tabs reload the user. */
  tell(): void
  /** Makes the other tabs reload the user, and this one if it has loaded the user. */
  changed(): Promise<void>
  /** Starts keeping the store up to date. */
  follow(): void
}

export function createUsers(
  { session, tabs, onDispose }: Kernel,
  store: Store<UserState>,
  request: Request,
  lifecycle: Lifecycle,
): Users {
  let following = false
  let loading: { readonly userId: string | undefined; readonly user: Promise<User | undefined> } | undefined
  const getUserId = () => (isSignedIn(session.current) ? session.current.userId : undefined)
  /** Counts updates: a response to an earlier request is stale. */
  let version = 0
  const show = (user: User) => {
    version++
    store.set({ status: 'ready', user })
  }
  const load = async (signal?: AbortSignal): Promise<User | undefined> => {
    await session.restore()
    const userId = getUserId()
    const before = ++version
    const { user: old } = store.get()
    if (userId === undefined) {
      store.set(NONE)
      return undefined
    }
    const known = old?.id === userId ? old : undefined
    store.set({ status: 'loading', user: known })
    try {
      const user = read(isUser, await request('/users/me', { signal }))
      if (version !== before || getUserId() !== userId) return store.get().user
      show(user)
      await lifecycle.move(user.step)
      return user
    } catch (thrown) {
      const error = toKeybayError(thrown)
      if (version === before) store.set(getUserId() === userId ? { status: 'error', user: known, error } : NONE)
      throw error
    }
  }
  /** Shares one request between simultaneous callers. */
  const refresh = (signal?: AbortSignal) => {
    const userId = getUserId()
    if (signal) return load(signal)
    if (loading?.userId !== userId || !loading) {
      const user = load().finally(() => {
        if (loading?.user === user) loading = undefined
      })
      loading = { userId, user }
    }
    return loading.user
  }
  const tell = () => tabs.post({ type: CHANGED })
  const reload = () => void refresh().catch(() => {}) // The store shows the error.
  const stops = [
    session.subscribe(() => {
      const { user, status } = store.get()
      const userId = getUserId()
      if (userId === undefined ? status === 'none' : userId === user?.id) return
      if (following) reload()
      else store.set(NONE) // The user changed.
    }),
    tabs.on(({ type }) => {
      if (type === CHANGED && (following || store.get().user)) reload()
    }),
  ]
  onDispose(() => {
    for (const stop of stops) stop()
  })
  return {
    async get(signal) {
      await session.restore()
      const { user } = store.get()
      return user && user.id === getUserId() ? user : refresh(signal)
    },
    refresh: ({ signal } = {}) => refresh(signal),
    show,
    tell,
    async changed() {
      tell()
      if (following || store.get().user) await refresh().catch(() => {})
    },
    follow() {
      if (following) return
      following = true
      if (getUserId() === undefined || store.get().user?.id !== getUserId()) reload()
    },
  }
}
