/** Packages of different versions in one page break in strange ways; this names them (S8.6). */
import { KeybayError, versionMismatch } from './spec/errors.js'

/** `name@version` of everything in the page, across every copy of the kernel: hence a global. */
const page: { keybayVersions?: Set<string>; readonly Set: unknown } = globalThis

function seen() {
  page.keybayVersions ??= new Set()
  return page.keybayVersions
}

export function noteVersion(name: string, version: string): void {
  seen().add(`${name}@${version}`)
}

/** An error that names each package and version, or undefined while all agree. */
export function findMismatch(): KeybayError | undefined {
  const all = [...seen()]
  const differ = new Set(all.map(one => one.split('@').at(-1))).size > 1
  return differ ? new KeybayError(versionMismatch, { detail: all.join(', ') }) : undefined
}
