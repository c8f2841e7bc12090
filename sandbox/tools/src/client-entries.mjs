/**
 * Checks the entries of a package that use React: React's server build has no `createContext` and no hooks, so a bundler
 * such as Next.js leaves them to the browser and to server rendering only if they begin with `'use client'`.
 */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { getImports } from './imports.mjs'

/** @param {string} file @param {Set<string>} [seen] @returns {boolean} true if the module or one that it imports uses React */
function usesReact(file, seen = new Set()) {
  if (seen.has(file) || !existsSync(file)) return false
  seen.add(file)
  return getImports(readFileSync(file, 'utf8')).some(specifier =>
    specifier.startsWith('.')
      ? usesReact(join(dirname(file), specifier), seen)
      : /^react(?:-dom)?(?:$|\/)/.test(specifier),
  )
}

/**
 * @param {string} folder of the built package
 * @param {Pick<import('./repo.mjs').Manifest, 'exports'>} manifest
 * @returns {readonly string[]} one problem per entry
 */
export function clientEntryProblems(folder, { exports = {} }) {
  return Object.entries(exports).flatMap(([entry, target]) => {
    const path = Reflect.get(Object(target), 'default')
    if (typeof path !== 'string' || !path.endsWith('.js')) return []
    const file = join(folder, path)
    const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
    const isClient = /^['"]use client['"]/.test(text)
    if (isClient !== usesReact(file))
      return [
        isClient ? `${entry} uses no React, but begins with 'use client'` : `${entry} does not begin with 'use client'`,
      ]
    // Next.js refuses it, because it does not read the other module's exports.
    return isClient && /^export \*/m.test(text) ? [`${entry} has “export *”: name each export`] : []
  })
}
