/** Writes the licences of the libraries that a package contains in its bundle, which hosts then do not install. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { readJson } from './repo.mjs'

/** @param {string} file @returns {string} the folder of the package that the file belongs to */
function packageFolder(file) {
  const folder = dirname(file)
  const manifest = join(folder, 'package.json')
  return existsSync(manifest) && 'version' in readJson(manifest) ? folder : packageFolder(folder)
}

/** @param {string} folder */
function describeLicence(folder) {
  const { name, version, license } = readJson(join(folder, 'package.json'))
  const file = readdirSync(folder).find(entry => /^licen[cs]e/i.test(entry))
  if (!file) throw new Error(`${name} has no licence file`)
  return `${name} ${version} (${license})\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`
}

/**
 * Writes `dist/LICENCES.txt`.
 * @param {string} root folder of the package, from which the bundle was built
 * @param {import('esbuild').Metafile} metafile of the bundle
 */
export function writeLicences(root, { outputs }) {
  const bundled = new Set(
    Object.values(outputs).flatMap(({ inputs }) =>
      Object.entries(inputs)
        .filter(([path, { bytesInOutput }]) => bytesInOutput > 0 && path.split('/').includes('node_modules'))
        .map(([path]) => packageFolder(join(root, path.replaceAll('/', sep)))),
    ),
  )
  const texts = [...bundled].sort().map(describeLicence)
  writeFileSync(join(root, 'dist/LICENCES.txt'), texts.join(`\n${'-'.repeat(80)}\n\n`))
}
