/** Packages of different versions in one page break in strange ways; this names them (S8.6). */
import { KeybayError, versionMismatch } from './errors.js'

/** name → versions seen, across every copy of the kernel in the page: hence a global symbol. */
const AT = Symbol.for('keybay:versions')
const seen = (): Map<string, Set<string>> => {
  const found: unknown = Reflect.get(globalThis, AT)
  if (found instanceof Map) return found
  const made = new Map<string, Set<string>>()
  Reflect.set(globalThis, AT, made)
  return made
}

export const noteVersion = (name: string, version: string): void => {
  const all = seen()
  all.set(name, (all.get(name) ?? new Set()).add(version))
}

/** An error that names each package and version, or undefined while all agree. */
export const findMismatch = (): KeybayError | undefined => {
  const pairs = [...seen()].flatMap(([name, versions]) => [...versions].map(version => [name, version] as const))
  if (new Set(pairs.map(([, version]) => version)).size < 2) return undefined
  return new KeybayError(versionMismatch, { detail: pairs.map(pair => pair.join('@')).join(', ') })
}
