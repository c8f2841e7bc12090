/** Finds packages of different versions in one page, which break in strange ways (S8.6). */
import { KeybayError, versionMismatch } from './spec/errors.js'

/** `name@version` of every package in the page. Global, because a page may have several copies of the kernel. */
const page: { keybayVersions?: Set<string>; readonly Set: unknown } = globalThis

function getSeen() {
  page.keybayVersions ??= new Set()
  return page.keybayVersions
}

export function noteVersion(name: string, version: string): void {
  getSeen().add(`${name}@${version}`)
}

/** Returns an error that names each package and version, or undefined if all agree. */
export function findMismatch(): KeybayError | undefined {
  const all = [...getSeen()]
  const differ = new Set(all.map(name => name.split('@').at(-1))).size > 1
  return differ ? new KeybayError(versionMismatch, { detail: all.join(', ') }) : undefined
}
