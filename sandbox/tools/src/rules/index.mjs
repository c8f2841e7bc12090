/** Runs every rule on the repository's own source. */
import { join } from 'node:path'
import { packages, readJson, root } from '../repo.mjs'
import { driverCasts } from './casts.mjs'
import { exits } from './exits.mjs'
import { folderCycles } from './folders.mjs'
import { functionsInConstants, longFunctions } from './functions.mjs'
import { unsafeKeyPairs } from './key-pairs.mjs'
import { kernelProblems, layerProblems } from './layers.mjs'
import { emptyPackages, missingPackages, packageCycles } from './packages.mjs'
import { readAllSourceFiles } from './source-files.mjs'
import { hastyTests } from './waits.mjs'
import { forbiddenWords } from './words.mjs'

/** @param {string} base @returns {readonly string[]} problems */
export function checkRules(base = root) {
  const all = packages(base)
  const files = readAllSourceFiles(base)
  const manifest = readJson(join(base, 'package.json'))
  const folders = all.map(({ folder }) => folder)
  return [
    ...emptyPackages(all, files),
    ...packageCycles(all, readJson(join(base, 'turbo.json'))),
    ...layerProblems(all, files),
    ...kernelProblems(files),
    ...folderCycles(folders, files),
    ...functionsInConstants(files),
    ...longFunctions(files),
    ...driverCasts(files),
    ...exits(files),
    ...unsafeKeyPairs(files),
    ...hastyTests(files),
    ...forbiddenWords(files),
    ...missingPackages(all, files, manifest),
  ]
}
