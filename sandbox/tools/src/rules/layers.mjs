/** Defines the layers of the repository, lowest first. A package imports only its own layer and lower ones. */
import { getImports, getPackage } from '../imports.mjs'

/**
 * @typedef {import('../repo.mjs').Package} Package
 * @typedef {import('./source-files.mjs').SourceFile} SourceFile
 */

const SERVICES = ['api', 'chain', 'custody', 'frame', 'identity', 'inbox', 'relay'].map(id => `sandbox/${id}`)

/** @type {readonly { name: string, includes: (folder: string) => boolean }[]} */
const LAYERS = [
  { name: 'kernel', includes: folder => folder === 'kernel' },
  { name: 'react', includes: folder => folder === 'react' },
  { name: 'plugins', includes: folder => folder.startsWith('plugins/') },
  { name: 'the ground of services', includes: folder => folder === 'sandbox/service' },
  { name: 'services', includes: folder => SERVICES.includes(folder) },
  { name: 'wallets', includes: folder => folder === 'sandbox/wallets' || folder === 'sandbox/wallet' },
  { name: 'app', includes: folder => folder === 'sandbox/app' },
  { name: 'measuring and testing', includes: () => true },
]

/** @param {string} folder */
function layerIndex(folder) {
  return LAYERS.findIndex(({ includes }) => includes(folder))
}

/** @param {readonly SourceFile[]} files @param {string} folder */
function listImports(files, folder) {
  return files
    .filter(({ path, isCode, isTest }) => isCode && !isTest && path.startsWith(`${folder}/src/`))
    .flatMap(({ path, text }) => getImports(text).map(specifier => ({ path, specifier })))
}

/** @param {readonly Package[]} all @param {readonly SourceFile[]} files @returns {readonly string[]} */
export function layerProblems(all, files) {
  return all.flatMap(pkg => {
    const layer = layerIndex(pkg.folder)
    return listImports(files, pkg.folder).flatMap(({ path, specifier }) => {
      const target = all.find(({ name }) => name === getPackage(specifier))
      const higher = target && layerIndex(target.folder) > layer ? LAYERS[layerIndex(target.folder)] : undefined
      return higher ? [`${path} imports ${specifier}, of a higher layer (${higher.name})`] : []
    })
  })
}

/**
 * Checks that `kernel/spec` imports no workspace package, and that services and frame import nothing else of the
 * kernel.
 * @param {readonly SourceFile[]} files
 * @returns {readonly string[]}
 */
export function kernelProblems(files) {
  const spec = files
    .filter(({ path, isCode, isTest }) => isCode && !isTest && path.startsWith('kernel/src/spec/'))
    .flatMap(({ path, text }) => getImports(text).map(specifier => ({ path, specifier })))
    .filter(({ path, specifier }) =>
      specifier.startsWith('.')
        ? !new URL(specifier, `file:///${path}`).pathname.startsWith('/kernel/src/spec/')
        : specifier.startsWith('@keybay/'),
    )
    .map(({ path, specifier }) => `${path} imports ${specifier}: kernel/spec is a leaf`)
  const services = ['sandbox/service', ...SERVICES]
    .flatMap(folder => listImports(files, folder))
    .filter(({ specifier }) => getPackage(specifier) === '@keybay/kernel' && specifier !== '@keybay/kernel/spec')
    .map(({ path, specifier }) => `${path} imports ${specifier}: services and frame import only @keybay/kernel/spec`)
  return [...spec, ...services]
}
