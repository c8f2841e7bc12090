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

/** Adds an element with a hash for each import of the script, before it, because its own hash does not cover them. */
function withImports(html: string, bundle: Rollup.OutputBundle): string {
  const entry = Object.values(bundle).find(
    file => file.type === 'chunk' && file.isEntry && html.includes(file.fileName),
  )
  const imports = entry?.type === 'chunk' ? entry.imports : []
  const elements = imports.map(name => `<script type="module" crossorigin src="/${name}"></script>\n    `)
  return html.replace('<script type="module"', `${elements.join('')}<script type="module"`)
}

/**
 * What is loaded only when it is needed is named in the page too, with its hash: the page's script loads it by an
 * element that has both. No `<link>`, which a browser would load at once.
 */
const LATER = '<meta name="keybay:later" content="" />'

async function withLater(html: string, dir: string, bundle: Rollup.OutputBundle): Promise<string> {
  const later = Object.values(bundle).filter(file => file.type === 'chunk' && file.isDynamicEntry)
  const [file] = later
  if (file === undefined) return html
  if (later.length > 1 || !html.includes(LATER))
    throw new Error('The page has a place for one file that is loaded later.')
  return html.replace(LATER, LATER.replace('""', `"/${file.fileName} ${await getHash(join(dir, file.fileName))}"`))
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
        ...(!later && { output: { codeSplitting: false } }),
        ...(unused && { treeshake: { moduleSideEffects: [{ test: unused, sideEffects: false }] } }),
      },
    },
    worker: { format: 'es' },
    plugins: [integrity()],
  }
}
