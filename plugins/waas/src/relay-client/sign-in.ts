/**
 * Recognises messages that sign in: https://github.com/phantom/sign-in-with-solana and EIP-4361. A sign-in at another
 * site than the host app always needs the user's consent. Text that only resembles a sign-in counts as one elsewhere.
 */
import type { ReadableMessage } from './message.js'

const PHRASE = 'wants you to sign in'

export interface SignInHost {
  /** Origins of the host app. */
  readonly origins: readonly string[]
  /** Address that signs. */
  readonly address: string
}

/** Removes what a lenient reader may ignore: compatibility forms, case, invisible characters, runs of white space. */
function fold(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/\p{DI}/gu, '')
    .replace(/\s+/g, ' ')
    .toLowerCase()
}

/** Returns true if the text is the origin, or continues with a path, a query or a fragment. */
function startsAt(text: string, origin: string): boolean {
  return text === origin || ['/', '?', '#'].some(next => text.startsWith(origin + next))
}

/** Returns true for the exact form of a sign-in at this origin, with no URI of another. */
function isSignInAt(origin: string, text: string, address: string): boolean {
  const [first = '', second, ...fields] = text.split('\n')
  const head = `${new URL(origin).host} ${PHRASE} with your `
  if (!first.startsWith(head) || !/^\w+ account:$/.test(first.slice(head.length)) || second !== address) return false
  // Other line breaks could hide a field from this reader.
  if (/[\r\u2028\u2029]/.test(text)) return false
  const uris = fields.filter(line => /^\W*uri/.test(fold(line)))
  return uris.every(line => startsAt(line, `URI: ${origin}`))
}

/** Returns true if the text signs in, or seems to, anywhere but at the host app. */
export function isSignInElsewhere(text: string, host: SignInHost): boolean {
  const count = fold(text).split(PHRASE).length - 1
  return count > 1 || (count === 1 && !host.origins.some(origin => isSignInAt(origin, text, host.address)))
}

/** Returns true if the message is for another site or application than the host app. */
export function isForOthers({ text, application }: ReadableMessage, host: SignInHost): boolean {
  return application !== undefined || isSignInElsewhere(text, host)
}

/** Returns the host of a name as browsers write it, or undefined if the name has more than host and port. */
function plainHost(name: string): string | undefined {
  const bare = name.replace(/^.*:\/\//, '')
  if (/[/\\?#@%]/.test(bare) || !URL.canParse(`https://${bare}`)) return undefined
  return new URL(`https://${bare}`).host
}

/** Returns the sites that a text signs in at, international names in ASCII; undefined for an unreadable name. */
export function signInSites(text: string): readonly (string | undefined)[] {
  const names = fold(text).split(PHRASE).slice(0, -1)
  return [...new Set(names.map(before => plainHost(before.trimEnd().split(' ').at(-1) ?? '')))]
}
