/** Shows what a page that imitates the window cannot: the user's account, and the phrase of this browser. */
import type { Session } from '../core/session.js'
import type { Phrases } from '../store/phrases.js'
import type { Screen } from './screen.js'
import words from './words.txt?raw'

export interface Identity {
  /** Name of the account. */
  readonly account?: string | undefined
  /** Words that the window shows with each prompt, and no page can read. */
  readonly phrase?: string | undefined
  /** True if this is the first prompt with the phrase. */
  readonly isNew?: boolean
}

/** 256 words. */
export const WORDS = words.trim().split(/\s+/)

/** Reads the phrase, which exists since the first wallet or prompt here. Where storage is blocked, there is none. */
export async function readIdentity(
  { user, account }: Pick<Session, 'user' | 'account'>,
  store: Phrases,
): Promise<Identity> {
  if (user === undefined) return {}
  const stored = await store.phrase(user).catch(() => undefined)
  const words = stored && { phrase: Array.from(stored.bytes, byte => WORDS[byte]).join(' '), isNew: stored.isNew }
  return { account: await account, ...words }
}

/** Returns the screen with the identity in each prompt. */
export function identify(screen: Screen, read: () => Promise<Identity>): Screen {
  return { ...screen, ask: async question => screen.ask({ ...question, identity: await read() }) }
}
