/** How what a provider tells becomes a profile. A mapping is data: paths into the answers, by the names of the sources. */

/** The one shape for all providers. */
export interface SocialProfile {
  /** The provider's own id of the account: with the provider's name it is who this is. */
  readonly id: string
  /** What people call the account: `@ann`. */
  readonly username?: string | undefined
  readonly name?: string | undefined
  readonly email?: string | undefined
  /** The provider says that the address is the user's. False where it does not say so. */
  readonly emailVerified: boolean
  /** https address */
  readonly picture?: string | undefined
}

/**
 * A path: `user.emails[primary=true].email`, `users[0].name`; or a text with paths in braces, which is there when all of them are;
 * or several, of which the first that is there counts.
 */
export type Path = string | readonly string[]

export interface ProfileMapping {
  readonly id: Path
  readonly username?: Path
  readonly name?: Path
  readonly email?: Path
  /** A path, or `true` where the provider tells only addresses that it has verified, and says so. Default false. */
  readonly emailVerified?: Path | true
  readonly picture?: Path
}

/** By the names of the sources. */
export type Answers = Readonly<Record<string, unknown>>

const STEP = /([\w$:-]+)|\[(\d+)\]|\[([\w-]+)=([^\]]*)\]/g

function property(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined
}

function at(answers: unknown, path: string): unknown {
  let value = answers
  for (const [, name, index, key, wanted] of path.matchAll(STEP)) {
    if (name !== undefined) value = property(value, name)
    else if (index !== undefined) value = Array.isArray(value) ? value[Number(index)] : undefined
    else if (key !== undefined)
      value = Array.isArray(value) ? value.find(item => String(property(item, key)) === wanted) : undefined
  }
  return value
}

function text(value: unknown): string | undefined {
  if (typeof value === 'number' || typeof value === 'bigint') return String(value)
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined
}

function read(answers: Answers, path: string): string | undefined {
  if (!path.includes('{')) return text(at(answers, path))
  let whole = true
  const filled = path.replace(/\{([^}]+)\}/g, (_, inner: string) => {
    const value = text(at(answers, inner))
    whole &&= value !== undefined
    return value ?? ''
  })
  return whole ? filled : undefined
}

function first(answers: Answers, paths: Path | undefined): string | undefined {
  for (const path of typeof paths === 'string' ? [paths] : (paths ?? [])) {
    const value = read(answers, path)
    if (value !== undefined) return value
  }
  return undefined
}

function isTrue(answers: Answers, paths: Path | true | undefined): boolean {
  if (paths === true) return true
  // Apple says "true", as a text.
  return (typeof paths === 'string' ? [paths] : (paths ?? [])).some(path => String(at(answers, path)) === 'true')
}

function https(url: string | undefined): string | undefined {
  return url?.startsWith('https://') ? url : undefined
}

/**
 * Undefined when the answers have no id: then nobody is signed in.
 *
 * @example
 * profileOf({ id: 'user.id', name: ['user.name', 'user.login'] }, { user: { id: 7, login: 'ann' } })
 * // { id: '7', name: 'ann', emailVerified: false }
 */
export function profileOf(mapping: ProfileMapping, answers: Answers): SocialProfile | undefined {
  const id = first(answers, mapping.id)
  if (id === undefined) return undefined
  const email = first(answers, mapping.email)
  const optional = {
    username: first(answers, mapping.username),
    name: first(answers, mapping.name),
    email,
    picture: https(first(answers, mapping.picture)),
  }
  return {
    id,
    ...Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined)),
    emailVerified: email !== undefined && isTrue(answers, mapping.emailVerified),
  }
}
