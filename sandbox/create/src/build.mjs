/** Builds the two packages for npm into `dist/`: each is one program, and the templates that it writes. */
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { VERSION } from './files.mjs'

const folder = fileURLToPath(new URL('..', import.meta.url))

/** Package → the folder of `template/` that it writes. */
const PACKAGES = [
  { name: 'create-keybay', template: 'app' },
  { name: 'create-keybay-plugin', template: 'plugin' },
]

for (const { name, template } of PACKAGES) {
  const target = join(folder, 'dist', name)
  rmSync(target, { recursive: true, force: true })
  mkdirSync(target, { recursive: true })
  const source = join(folder, 'packages', name)
  writeFileSync(
    join(target, 'package.json'),
    readFileSync(join(source, 'package.json'), 'utf8').replace('0.0.0', VERSION),
  )
  cpSync(join(source, 'README.md'), join(target, 'README.md'))
  cpSync(join(folder, '../../LICENSE'), join(target, 'LICENSE'))
  cpSync(join(folder, 'template', template), join(target, 'template', template), {
    recursive: true,
    // Templates of plugins inside this repository.
    filter: path => !path.includes(join('template', 'plugin', 'inside')),
  })
  await build({
    entryPoints: [join(folder, 'src', `${name}.mjs`)],
    outfile: join(target, 'bin', `${name}.mjs`),
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
  })
}
