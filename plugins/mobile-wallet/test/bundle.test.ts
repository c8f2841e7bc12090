/** Checks the built package: what a host installs with it, and what is bundled. */
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('../', import.meta.url))
const manifest: { readonly dependencies: Readonly<Record<string, string>>; readonly peerDependencies?: unknown } =
  JSON.parse(readFileSync(`${root}package.json`, 'utf8'))

function readBuilt(ending: string): string {
  const files = readdirSync(`${root}dist`, { recursive: true }).map(String)
  return files
    .filter(file => file.endsWith(ending))
    .map(file => readFileSync(`${root}dist/${file}`, 'utf8'))
    .join('\n')
}

it('mobile-wallet has no dependency that brings react-native', () => {
  const { dependencies, peerDependencies } = manifest
  expect(peerDependencies).toBeUndefined()
  expect(Object.keys(dependencies).filter(name => /solana-mobile|react-native|wallet-adapter/.test(name))).toEqual([])
})
it('mobile-wallet imports its declared dependencies only', () => {
  const specifiers = [...readBuilt('.js').matchAll(/^(?:import|export)\b[^"';]*?\bfrom "([^".][^"]*)"/gm)]
  const names = specifiers.map(([, specifier = '']) => specifier.split('/').slice(0, specifier.startsWith('@') ? 2 : 1))
  expect(new Set(names.map(parts => parts.join('/')))).toEqual(new Set(Object.keys(manifest.dependencies)))
})
it('mobile-wallet bundles permissive packages only, and ships the licence of each', () => {
  const sources = [...readBuilt('.js').matchAll(/^\/\/ .*node_modules\/((?:@[\w-]+\/)?[\w.-]+)\//gm)]
  const bundled = new Set(sources.map(([, name]) => name))
  const licensed = [...readBuilt('LICENCES.txt').matchAll(/^(\S+) \d+\.\d+\.\d+ \((?:Apache-2\.0|MIT|ISC)\)$/gm)].map(
    ([, name]) => name,
  )
  expect(bundled).toContain('@solana-mobile/wallet-adapter-mobile')
  expect(new Set(licensed)).toEqual(bundled)
})
it('mobile-wallet mentions no bundled package in its public types', () => {
  const types = ['index', 'plugin', 'errors'].map(name => readFileSync(`${root}dist/${name}.d.ts`, 'utf8')).join('\n')
  expect(types).not.toMatch(/solana-mobile|from .\.\/client/)
})
