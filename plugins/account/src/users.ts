/** Who is signed in, as the store behind `keybay.account.user`: loaded once somebody looks, true for this tab and the others. */

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
  /** Of who is signed in; asked for when it is not known. */
  get(signal?: AbortSignal): Promise<User | undefined>
  refresh(options?: CallOptions): Promise<User | undefined>
  /** What the API just said. */
  show(user: User): void
  /** Other tabs look again. */
  tell(): void
  /** It is no longer what it was: other tabs look again, and this one if it has it. */
  changed(): Promise<void>
  /** From now on the store is true by itself. */
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
  const mine = () => (isSignedIn(session.current) ? session.current.userId : undefined)
  /** Counts what was shown: an answer that was asked for before is out of date. */
  let version = 0
  const show = (user: User) => {
    version++
    store.set({ status: 'ready', user })
  }
  const load = async (signal?: AbortSignal): Promise<User | undefined> => {
    await session.restore()
    const userId = mine()
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
      if (version !== before || mine() !== userId) return store.get().user
      show(user)
      await lifecycle.move(user.step)
      return user
    } catch (thrown) {
      const error = toKeybayError(thrown)
      if (version === before) store.set(mine() === userId ? { status: 'error', user: known, error } : NONE)
      throw error
    }
  }
  /** One question for all who ask at once. */
  const refresh = (signal?: AbortSignal) => {
    const userId = mine()
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
  const look = () => void refresh().catch(() => {}) // it is in the store
  const offs = [
    session.subscribe(() => {
      const { user, status } = store.get()
      const userId = mine()
      if (userId === undefined ? status === 'none' : userId === user?.id) return
      if (following) look()
      else store.set(NONE) // whoever it was, it is no longer them
    }),
    tabs.on(({ type }) => {
      if (type === CHANGED && (following || store.get().user)) look()
    }),
  ]
  onDispose(() => {
    for (const off of offs) off()
  })
  return {
    async get(signal) {
      await session.restore()
      const { user } = store.get()
      return user && user.id === mine() ? user : refresh(signal)
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
      if (mine() === undefined || store.get().user?.id !== mine()) look()
    },
  }
}
