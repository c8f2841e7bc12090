/** `npm run new:plugin -- <name> [--kind wallet|login] [--dir plugins]`: writes a working plugin with tests into this repository. */
import { cpSync, existsSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import { Advice, command, npm, runTool } from '@keybay/sandbox-tools/command'
import { packages, readJson, root } from '@keybay/sandbox-tools/repo'
import { checkKind, checkName, writePlugin } from './plugin.mjs'

const usage = 'Usage: npm run new:plugin -- <name> [--kind wallet|login] [--dir plugins] [--no-install]'

function options() {
  try {
    const { positionals, values } = parseArgs({
      allowPositionals: true,
      options: {
        kind: { type: 'string', default: 'wallet' },
        dir: { type: 'string', default: 'plugins' },
        'no-install': { type: 'boolean', default: false },
      },
    })
    const [name, ...others] = positionals
    if (!name || others.length > 0) throw new Error('Give one name.')
    return { name, kind: values.kind, dir: values.dir, install: !values['no-install'] }
  } catch (error) {
    throw new Advice(`${error instanceof Error ? error.message : error}\n${usage}`)
  }
}

/** @param {string} dir @param {string} name @throws {Advice} if there is no place for it */
function checkPlace(dir, name) {
  /** @type {readonly string[]} */
  const workspaces = readJson(join(root, 'package.json')).workspaces
  if (!workspaces.includes(`${dir}/*`))
    throw new Advice(
      `${dir} is no folder of packages: use plugins, or add "${dir}/*" to "workspaces" in package.json first.`,
    )
  const taken = packages().find(pkg => pkg.id === name || pkg.name === `@keybay/${name}`)
  if (taken) throw new Advice(`There is a package ${taken.name} in ${taken.folder} already: choose another name.`)
  if (existsSync(join(root, dir, name)))
    throw new Advice(`The folder ${dir}/${name} exists already: remove it, or choose another name.`)
}

/** Adds the package to a list of references, at its end. @param {string} file @param {string} folder */
function register(file, folder) {
  const config = readJson(file)
  config.references.push({ path: folder })
  writeFileSync(file, `${JSON.stringify(config, null, 2)}\n`)
}

command(async () => {
  const { name, kind, dir, install } = options()
  checkKind(kind)
  checkName(name)
  checkPlace(dir, name)
  const folder = `${dir}/${name}`
  const target = join(root, folder)
  const up = relative(target, root).replaceAll('\\', '/')
  writePlugin(target, { name, kind, place: 'inside', edit: text => text.replaceAll('../../', `${up}/`) })
  cpSync(join(root, 'LICENSE'), join(target, 'LICENSE'))
  for (const file of ['tsconfig.json', 'tsconfig.test.json']) register(join(root, file), folder)
  const { code } = await runTool(
    '@biomejs/biome/bin/biome',
    ['check', '--write', '--log-level=error', folder, 'tsconfig.json', 'tsconfig.test.json'],
    { cwd: root },
  )
  if (code !== 0) throw new Advice(`Biome could not format ${folder}: see above.`)
  if (install) {
    const linked = await npm(['install', '--no-audit', '--no-fund'], { show: false })
    if (linked.code !== 0) throw new Advice(`npm install failed:\n${linked.output}`)
  }
  console.info(`
Wrote ${folder}. It works as it is: run  npm test -- ${name}

Then
  1. make ${join(folder, kind === 'wallet' ? 'src/provider.ts' : 'src/index.ts')} talk to the real thing;
  2. give it its name, icon and addresses;
  3. say in README.md what it is, and add it to the table of the repository's README;
  4. note the change: npm run changeset
`)
})
