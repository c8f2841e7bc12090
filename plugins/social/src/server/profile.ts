/** Maps a provider's responses to a profile. A mapping is data: paths into the responses, by the names of the sources. */

export interface SocialProfile {
  /** The provider's ID of the account; unique together with the provider's name. */
  readonly id: string
  /** e.g. `ann` */
  readonly username?: string | undefined
  readonly name?: string | undefined
  readonly email?: string | undefined
  /** True only if the provider says that the email is the user's. */
  readonly emailVerified: boolean
  /** https address */
  readonly picture?: string | undefined
}
/**
 * A path like `user.emails[primary=true].email` or `users[0].name`; a text with paths in braces, empty unless all of them exist;
 * or several of these, of which the first that exists counts.
 */
export type Path = string | readonly string[]

export interface ProfileMapping {
  readonly id: Path
  readonly username?: Path
  readonly name?: Path
  readonly email?: Path
  /** A path, or `true` if the provider documents that it returns verified emails only. Default false. */
  readonly emailVerified?: Path | true
  readonly picture?: Path
}

export type Answers = Readonly<Record<string, unknown>>

const STEP = /([\w$:-]+)|\[(\d+)\]|\[([\w-]+)=([^\]]*)\]/g

function property(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined
}

function resolvePath(answers: unknown, path: string): unknown {
  let value = answers
  for (const [, name, index, key, expected] of path.matchAll(STEP)) {
    if (name !== undefined) value = property(value, name)
    else if (index !== undefined) value = Array.isArray(value) ? value[Number(index)] : undefined
    else if (key !== undefined)
      value = Array.isArray(value) ? value.find(item => String(property(item, key)) === expected) : undefined
  }
  return value
}

function toText(value: unknown): string | undefined {
  // A larger number was rounded when it was parsed, so it may be another account's ID.
  if (typeof value === 'number') return Number.isSafeInteger(value) ? String(value) : undefined
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined
}

function read(answers: Answers, path: string): string | undefined {
  if (!path.includes('{')) return toText(resolvePath(answers, path))
  let complete = true
  const filled = path.replace(/\{([^}]+)\}/g, (_, inner: string) => {
    const value = toText(resolvePath(answers, inner))
    complete &&= value !== undefined
    return value ?? ''
  })
  return complete ? filled : undefined
}

function readFirst(answers: Answers, paths: Path | undefined): string | undefined {
  for (const path of typeof paths === 'string' ? [paths] : (paths ?? [])) {
    const value = read(answers, path)
    if (value !== undefined) return value
  }
  return undefined
}

function isTrue(answers: Answers, paths: Path | true | undefined): boolean {
  if (paths === true) return true
  // Apple sends the text "true".
  return (typeof paths === 'string' ? [paths] : (paths ?? [])).some(
    path => String(resolvePath(answers, path)) === 'true',
  )
}

function httpsOnly(url: string | undefined): string | undefined {
  return url?.startsWith('https://') ? url : undefined
}
/**
 * Returns the profile, or undefined if the responses have no ID.
 * @example
 * profileOf({ id: 'user.id', name: ['user.name', 'user.login'] }, { user: { id: 7, login: 'ann' } })
 * // { id: '7', name: 'ann', emailVerified: false }
 */
export function profileOf(mapping: ProfileMapping, answers: Answers): SocialProfile | undefined {
  const id = readFirst(answers, mapping.id)
  if (id === undefined) return undefined
  const email = readFirst(answers, mapping.email)
  const optional = {
    username: readFirst(answers, mapping.username),
    name: readFirst(answers, mapping.name),
    email,
    picture: httpsOnly(readFirst(answers, mapping.picture)),
  }
  return {
    id,
    ...Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined)),
    emailVerified: email !== undefined && isTrue(answers, mapping.emailVerified),
  }
}
