/** Warns of messages that sign in at another site than the host app. They always need the user's consent. */
import { isForOthers, type ReadableMessage, signInSites } from '@keybay/waas/relay-client'
import type { Child } from '../screen/dom.js'
import { warningLines } from '../screen/questions.js'
import type { Frame } from './frame.js'

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true })

function warn({ text, application }: ReadableMessage, host: string): readonly string[] {
  const sites = signInSites(text).map(site => site ?? 'an unreadable site')
  return [
    ...sites.map(site => `This signs you in to ${site}. ${host} asks for it, and can use your account there.`),
    ...(application === undefined ? [] : [`This is for the application ${application}, not ${host}.`]),
  ]
}

function decode(message: ReadableMessage | Uint8Array): ReadableMessage {
  return message instanceof Uint8Array ? { text: utf8.decode(message) } : message
}

/** Returns the title of a message without warnings: it names the site of a sign-in. */
export function messageTitle(message: ReadableMessage | Uint8Array, warnings: readonly Child[]): string {
  const [site] = warnings.length > 0 ? [] : signInSites(decode(message).text)
  return site === undefined ? 'Sign this message?' : `Sign in to ${site}?`
}

/**
 * Returns one warning for each other site or application that the messages are for.
 * @param address the address that signs
 */
export function warnOfOthers(
  { hostOrigin }: Pick<Frame, 'hostOrigin'>,
  address: string,
  messages: readonly (ReadableMessage | Uint8Array)[],
): readonly Child[] {
  const readable = messages.map(decode)
  const signInHost = { origins: [hostOrigin], address }
  const { host } = new URL(hostOrigin)
  const warnings = readable.filter(message => isForOthers(message, signInHost)).flatMap(message => warn(message, host))
  return warningLines([...new Set(warnings)])
}
