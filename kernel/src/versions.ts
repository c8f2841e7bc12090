/** Finds packages of different versions in one page, which break in strange ways (S8.6). */
import { KeybayError, versionMismatch } from './spec/errors.js'
import { VERSION } from './version.js'

/** `name@version` of every package in the page. Global, because a page may have several copies of the kernel. */
const page: { keybayVersions?: Set<string>; readonly Set: unknown } = globalThis

export function noteVersion(name: string, version: string): void {
  page.keybayVersions = new Set(page.keybayVersions).add(`${name}@${version}`)
}

/** Returns an error that names each package and version, or undefined if all agree. */
export function findMismatch(): KeybayError | undefined {
  const all = [...new Set(page.keybayVersions)]
  return all.some(name => !name.endsWith(`@${VERSION}`))
    ? new KeybayError(versionMismatch, { detail: all.join(', ') })
    : undefined
}
