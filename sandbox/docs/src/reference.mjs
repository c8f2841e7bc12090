/** Writes the reference of the published packages from their doc comments. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { toAnchor } from '@keybay/sandbox-tools/pages'
import { packages, root } from '@keybay/sandbox-tools/repo'
import { Application } from 'typedoc'

/** @returns {ReadonlyMap<string, string>} the built types of each public entry, without the ending, and the entry's name */
export function listEntries() {
  return new Map(
    packages()
      .filter(({ published }) => published)
      .flatMap(({ folder, name, manifest: { exports = {} } }) =>
        Object.entries(exports).flatMap(([entry, target]) => {
          const types = Reflect.get(Object(target), 'types')
          const isCode = typeof types === 'string' && !entry.endsWith('.css')
          return isCode ? [[join(folder, types).replace(/\.d\.ts$/, ''), join(name, entry)]] : []
        }),
      ),
  )
}

/** TypeDoc numbers the anchors of names that are written alike, also of those without a heading. @param {string} folder */
function mendAnchors(folder) {
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.md')) continue
    const text = readFileSync(join(folder, file), 'utf8')
    const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) => toAnchor(title))
    const mended = text.replace(
      /\]\(#(\w+)-(\d+)\)/g,
      (link, /** @type {string} */ anchor, /** @type {string} */ number) =>
        headings.filter(heading => heading === anchor).length > Number(number) ? link : `](#${anchor})`,
    )
    if (mended !== text) writeFileSync(join(folder, file), mended)
  }
}

/**
 * Reads the built types: they contain the doc comments, and TypeDoc needs no compiler settings of the sources.
 * @param {string} folder
 * @param {string} workFolder
 */
export async function writeReference(folder, workFolder) {
  const entries = listEntries()
  const files = [...entries.keys()].map(entry => join(root, `${entry}.d.ts`))
  const tsconfig = join(workFolder, 'tsconfig.json')
  mkdirSync(workFolder, { recursive: true })
  const options = {
    composite: false,
    noEmit: true,
    rootDir: root,
    skipLibCheck: true,
    tsBuildInfoFile: null,
    types: ['node'],
  }
  writeFileSync(
    tsconfig,
    JSON.stringify({ extends: join(root, 'tsconfig.base.json'), compilerOptions: options, files, include: [] }),
  )
  const app = await Application.bootstrapWithPlugins(
    {
      entryPoints: files,
      tsconfig,
      basePath: root,
      plugin: ['typedoc-plugin-markdown'],
      outputs: [{ name: 'markdown', path: folder }],
      logLevel: 'Error',
      name: 'Reference',
      readme: 'none',
      disableSources: true,
      skipErrorChecking: true,
      excludeExternals: true,
      ...{
        router: 'module',
        entryFileName: 'index.md',
        hideBreadcrumbs: true,
        hidePageHeader: true,
        useCodeBlocks: true,
      },
    },
    [],
  )
  const project = await app.convert()
  if (!project) throw new Error('TypeDoc could not read the built types. Run npm run build.')
  for (const module of project.children ?? []) {
    module.name = entries.get(module.name) ?? entries.get(`${module.name}/index`) ?? module.name
  }
  await app.generateOutputs(project)
  mendAnchors(folder)
}
