/** The packages that the project's owner chose run the product: where each is declared and imported. */
import { importsOf, packageOf } from '../imports.mjs'

/**
 * @typedef {import('../repo.mjs').Package} Package
 * @typedef {import('./source-files.mjs').SourceFile} SourceFile
 */

/** Package → the folder whose source imports it when it runs. */
export const AGREED = new Map([
  ['@solana/web3.js', 'plugins/solana'],
  ['tweetnacl', 'plugins/deep-link'],
  ['bs58', 'plugins/deep-link'],
  ['@simplewebauthn/browser', 'plugins/passkey'],
  ['react', 'react'],
])

/** To be moved up when their plugins run on them. */
export const AGREED_LATER = new Map([
  ['eventemitter3', 'kernel'],
  ['@wallet-standard/app', 'plugins/wallet-standard'],
  ['@solana-mobile/wallet-adapter-mobile', 'plugins/mobile-wallet'],
])

/** Tools of the whole repository. */
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
      const { dependencies, peerDependencies, devDependencies } = all.find(one => one.folder === folder)?.manifest ?? {}
      // A bundled package is a devDependency: hosts do not install it.
      if (!{ ...dependencies, ...peerDependencies, ...devDependencies }[name])
        return [`${folder}/package.json: ${name} is agreed on`]
      const isUsed = files.some(
        ({ path, text, isCode }) =>
          isCode && path.startsWith(`${folder}/src/`) && importsOf(text).some(imported => packageOf(imported) === name),
      )
      return isUsed ? [] : [`${folder}/src: ${name} is agreed on, and no file imports it`]
    }),
  ]
}

/**
 * @param {readonly Package[]} all
 * @param {readonly SourceFile[]} files
 * @returns {readonly string[]} packages without code of their own
 */
export function emptyPackages(all, files) {
  return all
    .filter(
      ({ folder }) => !files.some(({ path, isCode, isTest }) => isCode && !isTest && path.startsWith(`${folder}/`)),
    )
    .map(({ folder }) => `${folder} has no code`)
}
