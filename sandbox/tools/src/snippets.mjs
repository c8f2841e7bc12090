/** Extracts the TypeScript from the Markdown pages for the compiler to check. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runTool } from './command.mjs'
import { root } from './repo.mjs'

/** @typedef {{ page: string, line: number, language: 'ts' | 'tsx', code: string }} Snippet */

/** Files that git knows or would add, from the root. @param {string} [base] @returns {readonly string[]} */
export function trackedFiles(base = root) {
  return execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: base,
    encoding: 'utf8',
  })
    .split('\0')
    .filter(file => file && existsSync(join(base, file)))
}

/**
 * Returns every block marked `ts` or `tsx`. A block marked `ts continued` continues the block before it.
 * @param {string} page
 * @param {string} text
 * @returns {readonly Snippet[]}
 */
export function getSnippets(page, text) {
  /** @type {Snippet[]} */
  const snippets = []
  for (const match of text.matchAll(/^```(ts|tsx)( continued)?[ \t]*\n([\s\S]*?)^```/gm)) {
    const language = match[1] === 'tsx' ? 'tsx' : 'ts'
    const line = text.slice(0, match.index).split('\n').length
    const before = match[2] ? (snippets.at(-1)?.code ?? '') : ''
    snippets.push({ page, line, language, code: `${before}${match[3]}` })
  }
  return snippets
}

/** @returns {readonly Snippet[]} from every page except the history and the template, whose packages do not exist */
export function allSnippets() {
  return trackedFiles()
    .filter(
      file =>
        file.endsWith('.md') &&
        !file.endsWith('CHANGELOG.md') &&
        !/^(\.changeset|sandbox\/create\/template)\//.test(file),
    )
    .flatMap(page => getSnippets(page, readFileSync(join(root, page), 'utf8')))
}

const config = {
  extends: '../../../../tsconfig.base.json',
  compilerOptions: {
    types: ['node', 'vite/client'],
    noEmit: true,
    composite: false,
    declaration: false,
    isolatedDeclarations: false,
    noUnusedLocals: false,
    noUnusedParameters: false,
    skipLibCheck: true,
    moduleDetection: 'force',
    rootDir: '../../../..',
    tsBuildInfoFile: null,
  },
}

/**
 * Compiles the snippets against the built packages, each as its own module.
 * @param {readonly Snippet[]} snippets
 * @returns {Promise<ReadonlyMap<Snippet, string>>} the compiler's errors for each invalid snippet
 */
export async function checkSnippets(snippets) {
  const folder = join(root, 'node_modules/.cache/keybay/snippets')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  const names = snippets.map(({ language, code }, index) => {
    const name = `snippet-${index}.${language}`
    writeFileSync(join(folder, name), code)
    return name
  })
  // A snippet that merges into our types must not affect another one, so it is compiled alone.
  const merging = names.filter((_name, index) => snippets[index]?.code.includes('declare module'))
  const together = names.filter(name => !merging.includes(name))
  /** @type {Map<Snippet, string>} */
  const problems = new Map()
  for (const files of [together, ...merging.map(name => [name])]) {
    if (files.length === 0) continue
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ ...config, files }))
    const { output } = await runTool('typescript/bin/tsc', ['-p', folder, '--pretty', 'false'], {
      cwd: folder,
      show: false,
    })
    for (const line of output.split('\n')) {
      const snippet = snippets[Number(/^snippet-(\d+)\./.exec(line)?.[1])]
      if (snippet) problems.set(snippet, `${problems.get(snippet) ?? ''}${line}\n`)
      else if (/\berror TS/.test(line)) throw new Error(output)
    }
  }
  return problems
}
