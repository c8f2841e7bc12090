/**
 * Checks packages: the agreed dependencies are imported at run time, each package has code, and no packages form a
 * cycle.
 */
import { getImports, getPackage } from '../imports.mjs'
import { findCycles } from './folders.mjs'

/**
 * @typedef {import('../repo.mjs').Package} Package
 * @typedef {import('./source-files.mjs').SourceFile} SourceFile
 */

/** Package → the folder whose source imports it at run time. */
export const AGREED = new Map([
  ['@solana/web3.js', 'plugins/solana'],
  ['tweetnacl', 'plugins/deep-link'],
  ['bs58', 'plugins/deep-link'],
  ['@simplewebauthn/browser', 'plugins/passkey'],
  ['react', 'react'],
  ['eventemitter3', 'kernel'],
  ['@wallet-standard/app', 'plugins/wallet-standard'],
  ['@solana-mobile/wallet-adapter-mobile', 'plugins/mobile-wallet'],
])

/** Tools used by the whole repository. */
const TOOLS = ['vitest', 'turbo']

/**
 * @param {readonly Package[]} all
 * @param {readonly SourceFile[]} files
 * @param {import('../repo.mjs').Manifest} rootManifest
 * @param {ReadonlyMap<string, string>} agreed
 * @returns {readonly string[]}
 */
export function missingPackages(all, files, rootManifest, agreed = AGREED) {
  const tools = TOOLS.filter(name => !rootManifest.devDependencies?.[name]).map(
    name => `package.json: ${name} is agreed on`,
  )
  return [
    ...tools,
    ...[...agreed].flatMap(([name, folder]) => {
      const { dependencies, peerDependencies, devDependencies } = all.find(pkg => pkg.folder === folder)?.manifest ?? {}
      // A bundled package is a devDependency, so hosts do not install it.
      if (!{ ...dependencies, ...peerDependencies, ...devDependencies }[name])
        return [`${folder}/package.json: ${name} is agreed on`]
      const isUsed = files.some(
        ({ path, text, isCode }) =>
          isCode &&
          path.startsWith(`${folder}/src/`) &&
          getImports(text).some(imported => getPackage(imported) === name),
      )
      return isUsed ? [] : [`${folder}/src: ${name} is agreed on, and no file imports it`]
    }),
  ]
}

/**
 * @param {readonly Package[]} all
 * @param {readonly SourceFile[]} files
 * @returns {readonly string[]} packages without their own code
 */
export function emptyPackages(all, files) {
  return all
    .filter(
      ({ folder }) => !files.some(({ path, isCode, isTest }) => isCode && !isTest && path.startsWith(`${folder}/`)),
    )
    .map(({ folder }) => `${folder} has no code`)
}

/**
 * Returns package cycles as turbo sees them, including dependencies that only tests need.
 * @param {readonly Package[]} all
 * @param {{ tasks: Readonly<Record<string, { dependsOn?: readonly string[] }>> }} turbo
 * @returns {readonly string[]}
 */
export function packageCycles(all, turbo) {
  const names = new Set(all.map(({ name }) => name))
  const graph = new Map(
    all.map(({ name, manifest: { dependencies, devDependencies } }) => [
      name,
      new Set(Object.keys({ ...dependencies, ...devDependencies }).filter(needed => names.has(needed))),
    ]),
  )
  const overrides = Object.entries(turbo.tasks).filter(([task, { dependsOn }]) => task.includes('#') && dependsOn)
  return [
    ...findCycles(graph).map(cycle => `packages need each other in a cycle: ${cycle.join(', ')}`),
    ...overrides.map(([task]) => `turbo.json: ${task} names its own dependencies, which hides a cycle`),
  ]
}
