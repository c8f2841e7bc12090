/** Subresource integrity: a page runs the scripts that it was built with, or none. */
import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Plugin, Rollup, UserConfig } from 'vite'

async function getHash(path: string): Promise<string> {
  return `sha384-${createHash('sha384')
    .update(await readFile(path))
    .digest('base64')}`
}

/** Returns the files that a script imports, each after its own imports. */
function listImports(bundle: Rollup.OutputBundle, name: string): readonly string[] {
  const file = bundle[name]
  const imports = file?.type === 'chunk' ? file.imports : []
  return [...new Set(imports.flatMap(each => [...listImports(bundle, each), each]))]
}

/** Adds an element with a hash for each import of the script, before it, because its own hash does not cover them. */
function withImports(html: string, bundle: Rollup.OutputBundle): string {
  const entry = Object.values(bundle).find(
    file => file.type === 'chunk' && file.isEntry && html.includes(file.fileName),
  )
  const imports = listImports(bundle, entry?.fileName ?? '')
  const elements = imports.map(name => `<script type="module" crossorigin src="/${name}"></script>\n    `)
  return html.replace('<script type="module"', `${elements.join('')}<script type="module"`)
}

/**
 * Files that are loaded only when they are needed are named in the page too, each with its hash: the page's script loads
 * them by an element that has both. No `<link>`, which a browser would load at once.
 */
const LATER = '<meta name="keybay:later" content="" />'

async function withLater(html: string, dir: string, bundle: Rollup.OutputBundle): Promise<string> {
  const chunks = Object.values(bundle).filter(file => file.type === 'chunk')
  const later = chunks.filter(file => file.isDynamicEntry)
  if (later.length === 0) return html
  if (!html.includes(LATER)) throw new Error('The page has no place for files that are loaded later.')
  const unnamed = later.flatMap(({ imports }) => imports).find(name => !html.includes(`/${name}"`))
  if (unnamed) throw new Error(`The page does not name ${unnamed}, which a later file imports.`)
  const words = later.map(async file => `${file.name} /${file.fileName} ${await getHash(join(dir, file.fileName))}`)
  return html.replace(LATER, LATER.replace('""', `"${(await Promise.all(words)).join(' ')}"`))
}

function integrity(): Plugin {
  return {
    name: 'keybay-integrity',
    async writeBundle({ dir = '' }, bundle) {
      const page = join(dir, 'index.html')
      const html = await withLater(withImports(await readFile(page, 'utf8'), bundle), dir, bundle)
      const paths = [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path = '']) => path)
      const hashes = await Promise.all(paths.map(path => getHash(join(dir, path))))
      const whole = paths.reduce(
        (text, path, index) => text.replace(`"${path}"`, `"${path}" integrity="${hashes[index]}"`),
        html,
      )
      await writeFile(page, whole)
    },
  }
}

interface PageParts {
  /** True if the page loads a part of itself later. */
  readonly later?: boolean
  /** Packages whose unused modules have no side effects. */
  readonly unused?: RegExp
}
/** Options for a page that shows secrets. @param outDir relative to the page's root */
export function guardedPage(outDir: string, { later = false, unused }: PageParts = {}): UserConfig {
  return {
    build: {
      outDir,
      emptyOutDir: true,
      target: ['chrome123', 'firefox128', 'safari17.5'],
      // The content security policy allows no inline files.
      assetsInlineLimit: 0,
      modulePreload: false,
      rolldownOptions: {
        // What the page shares with later files is one file, which compresses best.
        output: {
          codeSplitting: later && {
            includeDependenciesRecursively: false,
            groups: [{ name: 'shared', minShareCount: 2 }],
          },
        },
        ...(unused && { treeshake: { moduleSideEffects: [{ test: unused, sideEffects: false }] } }),
      },
    },
    worker: { format: 'es' },
    plugins: [integrity()],
  }
}
