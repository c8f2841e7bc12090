/**
 * Tests the packed tarballs as a host installs them: outside this repository, with only their declared dependencies.
 */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cachedPackage } from '../src/cached-package.mjs'
import { clientEntryProblems } from '../src/client-entries.mjs'
import { run } from '../src/command.mjs'
import { readJson, root } from '../src/repo.mjs'
import { createHost, linkPackage, publishedPackages } from '../src/testing/packed-packages.js'

const published = publishedPackages()
const fixtures = join(import.meta.dirname, 'consumers')
let host: string

function write(file: string, content: object | string): void {
  mkdirSync(dirname(join(host, file)), { recursive: true })
  writeFileSync(join(host, file), typeof content === 'string' ? content : JSON.stringify(content, null, 2))
}

beforeAll(async () => {
  host = await createHost(published)
  for (const name of ['react', 'react-dom', '@types/react', '@types/react-dom', '@types/node', 'vite', 'vitest'])
    linkPackage(host, name)
  cpSync(fixtures, join(host, 'src'), { recursive: true })
  write('package.json', { name: 'consumer', private: true, type: 'module' })
})
afterAll(() => rmSync(host, { recursive: true, force: true }))

it('a tarball contains its licence, sources and what its package.json promises, and no tests or build state', () => {
  for (const { name } of published) {
    const files = readdirSync(join(host, 'node_modules', name), { recursive: true }).map(String)
    const promised = ['README.md', 'LICENSE', 'package.json', 'dist/index.js', 'dist/index.d.ts', 'dist/index.js.map']
    expect(files).toEqual(expect.arrayContaining([...promised, 'src/index.ts']))
    expect(files.filter(file => /(^|\/)(test|node_modules)\/|tsbuildinfo|\.env/.test(file))).toEqual([])
  }
})

it('the packed React entries begin with ‘use client’, and no other entry does', () => {
  for (const { name } of published) {
    const folder = join(host, 'node_modules', name)
    expect([name, clientEntryProblems(folder, readJson(join(folder, 'package.json')))]).toEqual([name, []])
  }
})

/** Returns the type tests of every package, importing the package instead of its sources. */
function typeTests(): readonly string[] {
  return published.flatMap(({ name, folder }) =>
    (existsSync(join(root, folder, 'test')) ? readdirSync(join(root, folder, 'test')) : [])
      .filter(file => /\.test-d\.tsx?$/.test(file))
      .map(file => {
        const text = readFileSync(join(root, folder, 'test', file), 'utf8')
        const out = `types/${basename(folder)}-${file}`
        write(
          out,
          text.replace(
            /'\.\.\/src\/(?:([\w-]+)\/)?[\w-]+\.js'/g,
            (_, entry?: string) => `'${entry ? `${name}/${entry}` : name}'`,
          ),
        )
        return out
      }),
  )
}

/** Entries that servers use; the root README names them. */
const SERVER_ENTRIES = [
  '@keybay/kernel/spec',
  '@keybay/deep-link/vault',
  '@keybay/social/server',
  '@keybay/turnkey/protocol',
  '@keybay/waas/btc',
  '@keybay/waas/delegate',
  '@keybay/waas/evm',
  '@keybay/waas/mpc',
  '@keybay/waas/mpc/lifecycle',
  '@keybay/waas/offline',
  '@keybay/waas/relay-client',
]

/** Compiles files of the host with the oldest or the newest supported compiler. */
async function compileWith(version: string, files: readonly string[], options: object): Promise<object> {
  const typescript =
    version === '7' ? join(root, 'node_modules/typescript') : await cachedPackage('typescript', version)
  write('tsconfig.json', {
    compilerOptions: {
      target: 'es2022',
      lib: ['es2023', 'dom', 'dom.iterable', 'esnext.disposable'],
      module: 'esnext',
      moduleResolution: 'bundler',
      jsx: 'react-jsx',
      strict: true,
      noEmit: true,
      types: [],
      ...options,
    },
    files,
  })
  return run(process.execPath, [join(typescript, 'bin/tsc'), '-p', host, '--pretty', 'false'], {
    cwd: host,
    show: false,
  })
}

const clean = { code: 0, output: '', stdout: '' }

describe.each(['5.4.5', '7'])('TypeScript %s', version => {
  const compile = (files: readonly string[], options: object) => compileWith(version, files, options)

  it('a host app type-checks against the tarballs, including library types', async () => {
    expect(await compile(['src/host.tsx'], { skipLibCheck: false })).toEqual(clean)
  })
  it('a host app type-checks against the tarballs with Node’s module resolution', async () => {
    const node = { skipLibCheck: false, module: 'nodenext', moduleResolution: 'nodenext' }
    expect(await compile(['src/host.tsx'], node)).toEqual(clean)
  })
  it('the published types pass the type tests of every package', async () => {
    const files = typeTests()
    expect(files).not.toEqual([])
    // vitest's own declarations need a newer compiler than the oldest one tested here.
    expect(await compile(files, { skipLibCheck: true })).toEqual(clean)
  })
})

it('the entries for servers type-check with Node’s types and without the DOM’s', async () => {
  const imports = SERVER_ENTRIES.map((entry, index) => `import * as entry${index} from '${entry}'`)
  const names = SERVER_ENTRIES.map((_, index) => `entry${index}`)
  write('src/server.ts', `${imports.join('\n')}\nexport const all = [${names}]\n`)
  const server = { skipLibCheck: false, lib: ['es2023'], types: ['node'] }
  expect(await compileWith('7', ['src/server.ts'], server)).toEqual(clean)
})
it('the kernel and a plugin type-check without the DOM’s types if library types are not checked', async () => {
  const server = { skipLibCheck: true, lib: ['es2023'], types: ['node'] }
  write(
    'src/kernel.ts',
    `import { createKeybay } from '@keybay/kernel'
import { solana } from '@keybay/solana'
const keybay = createKeybay({ appName: 'Acme', plugins: [solana({ cluster: 'devnet' })] })
export const balance: Promise<bigint> = keybay.solana.getBalance('')
`,
  )
  expect(await compileWith('7', ['src/kernel.ts'], server)).toEqual(clean)
})

it('a fresh Vite app builds from the tarballs', async () => {
  write('index.html', '<!doctype html><div id="root"></div><script type="module" src="/src/host.tsx"></script>')
  const built = await run(process.execPath, ['node_modules/vite/bin/vite.js', 'build'], { cwd: host, show: false })
  expect(built).toMatchObject({ code: 0 })
  const assets = readdirSync(join(host, 'dist/assets')).filter(file => file.endsWith('.js'))
  const scripts = assets.map(file => readFileSync(join(host, 'dist/assets', file), 'utf8'))
  expect(scripts.some(text => text.includes('Consumer'))).toBe(true)
  // web3.js loads with the first send, not with the page.
  expect(assets.length).toBeGreaterThan(1)
})
