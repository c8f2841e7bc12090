/** `npm run new:plugin -- <name> [--kind wallet|login] [--dir plugins]`: writes a working plugin with tests. */
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Advice, command, npm, runTool } from './command.mjs'
import { ensureInstalled } from './install.mjs'
import { root } from './repo.mjs'
import { scaffold } from './scaffold.mjs'

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

command(async () => {
  const { name, kind, dir, install } = options()
  if (install) await ensureInstalled()
  const folder = scaffold({ name, kind, dir })
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
