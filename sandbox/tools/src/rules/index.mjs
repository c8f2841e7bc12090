/** Runs every rule on the repository's own source. Reports rules that are not enforced yet. */
import { join } from 'node:path'
import { packages, readJson, root } from '../repo.mjs'
import { folderCycles } from './folders.mjs'
import { functionsInConstants, longFunctions } from './functions.mjs'
import { kernelProblems, layerProblems } from './layers.mjs'
import { emptyPackages, missingPackages, packageCycles } from './packages.mjs'
import { readAllSourceFiles } from './source-files.mjs'
import { forbiddenWords, WORDS } from './words.mjs'

/** Rules that the current tree breaks: reported without an error. Remove a name to enforce its rule. */
const REPORTED = new Set(['function length', 'words, after the sweep'])

/** @param {string} base @returns {readonly { name: string, enforced: boolean, problems: readonly string[] }[]} */
export function checkRules(base = root) {
  const all = packages(base)
  const files = readAllSourceFiles(base)
  const manifest = readJson(join(base, 'package.json'))
  const folders = all.map(({ folder }) => folder)
  const results = {
    'no package without code': emptyPackages(all, files),
    'no package cycle, with what tests need': packageCycles(all, readJson(join(base, 'turbo.json'))),
    'no import from a lower layer into a higher one': layerProblems(all, files),
    'only kernel/spec for services and frame': kernelProblems(files),
    'no cycle between folders': folderCycles(folders, files),
    'functions at top level are declarations': functionsInConstants(files),
    'function length': longFunctions(files),
    words: forbiddenWords(files),
    'words, after the sweep': forbiddenWords(files, WORDS.later),
    'agreed packages': missingPackages(all, files, manifest),
  }
  return Object.entries(results).map(([name, problems]) => ({ name, enforced: !REPORTED.has(name), problems }))
}
