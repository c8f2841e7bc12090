/**
 * Bundles programs of the package in the working directory, with all that they import, and lets `dist/<name>.js` run the
 * bundle: `node bundle-programs.mjs <name> …`. Node needs a second of processor time to load the 1,000 files of a service.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join, relative, resolve } from 'node:path'
import { build } from 'esbuild'

/** Have native code or WebAssembly, or are optional helpers of ws. */
const EXTERNAL = ['@electric-sql/pglite', 'litesvm', 'bufferutil', 'utf-8-validate']

const names = process.argv.slice(2)
const source = resolve('src')
const folder = resolve('dist/programs')

/** Returns the file that a module has without the bundle. @param {string} path */
function getBuiltFile(path) {
  if (!path.startsWith(source)) return path
  return join(resolve('dist'), relative(source, path)).replace(/\.ts$/, '.js')
}

/**
 * Keeps the address of each module, by which modules find their files, such as migrations.
 * @type {import('esbuild').Plugin}
 */
const addresses = {
  name: 'addresses',
  setup({ onLoad }) {
    onLoad({ filter: /\.(ts|m?js)$/ }, ({ path }) => {
      const code = readFileSync(path, 'utf8')
      if (!code.includes('import.meta.url')) return undefined
      const address = JSON.stringify(relative(folder, getBuiltFile(path)).replaceAll('\\', '/'))
      const contents = code.replaceAll('import.meta.url', `new URL(${address}, import.meta.url).href`)
      return { contents, loader: path.endsWith('.ts') ? 'ts' : 'js' }
    })
  },
}

rmSync(folder, { recursive: true, force: true })
await build({
  entryPoints: names.map(name => ({ in: join(source, `${name}.ts`), out: basename(name) })),
  outdir: folder,
  bundle: true,
  splitting: true,
  sourcemap: true,
  sourcesContent: false,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  external: EXTERNAL,
  // CommonJS packages require modules of Node.
  banner: {
    js: `import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url)`,
  },
  plugins: [addresses],
  logLevel: 'warning',
})
for (const name of names) {
  const [shebang] = /^#!.*\n/.exec(readFileSync(join(source, `${name}.ts`), 'utf8')) ?? ['']
  const toDist = name.split('/').fill('..').slice(1).join('/') || '.'
  writeFileSync(join('dist', `${name}.js`), `${shebang}import '${toDist}/programs/${basename(name)}.js'\n`)
}
