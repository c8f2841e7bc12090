/** Packs the two packages, runs them as a user does, and compiles, builds and tests what they write, outside this repository. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { startApi } from '@keybay/sandbox-api'
import { startApp } from '@keybay/sandbox-app'
import { npm, run } from '@keybay/sandbox-tools/command'
import { readJson, root } from '@keybay/sandbox-tools/repo'
import { createHost, linkPackage, publishedPackages } from '@keybay/sandbox-tools/testing/packed-packages'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PLUGINS } from '../src/app.mjs'

const CREATORS = ['create-keybay', 'create-keybay-plugin'] as const
const TOOLS = [
  'react',
  'react-dom',
  '@types/react',
  '@types/react-dom',
  '@types/node',
  'esbuild',
  'happy-dom',
  'vite',
  'vitest',
]
const ALL = PLUGINS.map(({ id }) => id)

let host: string

interface Result {
  readonly code: number
  readonly output: string
}

/** Runs a program of `node_modules` in a folder of the host. */
async function tool(folder: string, file: string, args: readonly string[], env = {}): Promise<Result> {
  // The test's own NODE_ENV would make a development build of a build.
  const options = { cwd: join(host, folder), env: { ...process.env, NODE_ENV: undefined, ...env }, show: false }
  const { code, output } = await run(process.execPath, [join(root, 'node_modules', file), ...args], options)
  return { code, output }
}

function compile(folder: string, ...args: readonly string[]): Promise<Result> {
  return tool(folder, 'typescript/bin/tsc', ['--pretty', 'false', ...args])
}

async function create(name: (typeof CREATORS)[number], ...args: readonly string[]): Promise<Result> {
  const program = join(host, 'node_modules', name, 'bin', `${name}.mjs`)
  const { code, output } = await run(process.execPath, [program, ...args], { cwd: host, show: false })
  return { code, output }
}

function write(file: string, text: string): void {
  mkdirSync(dirname(join(host, file)), { recursive: true })
  writeFileSync(join(host, file), text)
}

function listFiles(folder: string): readonly string[] {
  return readdirSync(join(host, folder), { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name))
}

beforeAll(async () => {
  host = await createHost(publishedPackages(['kernel', 'react', 'wallet', ...ALL]))
  for (const name of TOOLS) linkPackage(host, name)
  for (const name of CREATORS) {
    const packed = await npm(['pack', '--pack-destination', host, join(root, 'sandbox/create/dist', name)], {
      show: false,
    })
    expect(packed).toMatchObject({ code: 0 })
    const folder = join(host, 'node_modules', name)
    mkdirSync(folder, { recursive: true })
    const { version } = readJson(join(root, 'kernel/package.json'))
    const tarball = join(host, `${name}-${version}.tgz`)
    expect(await run('tar', ['-xzf', tarball, '--strip-components=1', '-C', folder], { show: false })).toMatchObject({
      code: 0,
    })
  }
})
afterAll(() => rmSync(host, { recursive: true, force: true }))

/** Expects a text of the user's own in every file: no placeholder, and no mark of a template. */
function expectFinished(folder: string): void {
  for (const file of listFiles(folder))
    expect([file, readFileSync(file, 'utf8')]).toEqual([
      file,
      expect.not.stringMatching(/acme|0\.0\.0|\bif [a-z-]+( \*\/| -->|$)/im),
    ])
}

const CLEAN = { code: 0, output: '' }

describe('create-keybay', () => {
  it('npm create writes a Vite app with every plugin, which compiles and builds from the packed packages', async () => {
    const { version } = readJson(join(root, 'kernel/package.json'))
    const npx = [
      'exec',
      '--yes',
      '--offline',
      '--cache',
      join(host, 'cache'),
      '--package',
      join(host, `create-keybay-${version}.tgz`),
    ]
    const created = await npm([...npx, '--', 'create-keybay', 'shop'], { cwd: host, show: false })
    expect(created).toMatchObject({
      code: 0,
      output: expect.stringContaining('APP_ORIGINS=http://app.localhost:5173 npm start'),
    })
    expectFinished('shop')
    expect(await compile('shop', '--noEmit')).toEqual(CLEAN)
    expect(await tool('shop', 'vite/bin/vite.js', ['build'])).toMatchObject({ code: 0 })
    const assets = readdirSync(join(host, 'shop/dist/assets'))
    expect(assets.filter(file => file.endsWith('.css'))).not.toEqual([])
    const scripts = assets
      .filter(file => file.endsWith('.js'))
      .map(file => readFileSync(join(host, 'shop/dist/assets', file), 'utf8'))
    expect(scripts.some(text => text.includes('Hello from shop'))).toBe(true)
    // The wallet for development.
    expect(scripts.filter(text => text.includes('keybay-sandbox-wallet'))).toEqual([])
    const { dependencies, devDependencies } = readJson(join(host, 'shop/package.json'))
    expect(devDependencies).toHaveProperty(['@keybay/sandbox-wallet'])
    expect(Object.keys(dependencies)).toEqual(expect.arrayContaining(ALL.map(id => `@keybay/${id}`)))
    const readme = readFileSync(join(host, 'shop/README.md'), 'utf8')
    for (const change of ['sandbox-wallet', 'baseApiUrl', 'rpcUrl', 'frameHost', 'allowedOrigins', '/auth/social/'])
      expect(readme).toContain(change)
  })

  it('a Next.js app compiles without Next.js, and its browser code is behind one border', async () => {
    expect(await create('create-keybay', 'store', '--template', 'next')).toMatchObject({ code: 0 })
    expectFinished('store')
    expect(await compile('store', '--noEmit', '--types', 'vite/client,node')).toEqual(CLEAN)
    expect(readFileSync(join(host, 'store/app/client.tsx'), 'utf8')).toMatch(/^'use client'\n/)
    expect(readFileSync(join(host, 'store/app/auth/social/[[...path]]/page.tsx'), 'utf8')).toMatch(/^'use client'\n/)
    for (const file of ['index.html', 'vite.config.ts']) expect(existsSync(join(host, 'store', file))).toBe(false)
  })

  it.each([
    [['wallet-standard'], []],
    [['wallet-standard', 'solana'], []],
    [['passkey'], ['account']],
    [['one-time-code', 'waas'], ['account']],
    [['social', 'solana'], ['account']],
  ])('an app with only %j compiles, and needs no other plugin', async (plugins, added) => {
    const folder = `only-${plugins.join('-')}`
    expect(await create('create-keybay', folder, '--plugins', plugins.join(','))).toMatchObject({ code: 0 })
    expect(await compile(folder, '--noEmit')).toEqual(CLEAN)
    const { dependencies, devDependencies } = readJson(join(host, folder, 'package.json'))
    const wallet = plugins.includes('wallet-standard') ? ['sandbox-wallet'] : []
    const expected = ['kernel', 'react', ...plugins, ...added, ...wallet].map(id => `@keybay/${id}`)
    expect(
      Object.keys({ ...dependencies, ...devDependencies })
        .filter(name => name.startsWith('@keybay/'))
        .sort(),
    ).toEqual(expected.sort())
  })

  it('refuses a folder that is not empty, and leaves it as it was', async () => {
    write('taken/notes.txt', 'mine')
    const { code, output } = await create('create-keybay', 'taken')
    expect([code, output]).toEqual([1, expect.stringContaining('The folder taken is not empty: choose another name')])
    expect(readdirSync(join(host, 'taken'))).toEqual(['notes.txt'])
  })

  it.each([
    [[], 'Give the folder of the new app.'],
    [['one', 'two'], 'Give one folder.'],
    [['My App'], '“My App” is no name for an app'],
    [['shop-2', '--template', 'angular'], '“angular” is not one of the choices'],
    [['shop-2', '--template', 'vite,next'], 'Choose one: vite or next.'],
    [['shop-2', '--plugins', 'solana,bank'], '“bank” is not one of the choices'],
    [['shop-2', '--plugins', 'solana'], 'A user could neither connect nor sign in'],
    [['shop-2', '--colour'], 'Usage: npm create keybay'],
  ])('refuses %j, and says what to do', async (args, advice) => {
    const { code, output } = await create('create-keybay', ...args)
    expect([code, output]).toEqual([1, expect.stringContaining(advice)])
    expect(output).not.toContain('    at ')
    expect(existsSync(join(host, 'shop-2'))).toBe(false)
  })

  it('prompts on a terminal for missing values, and repeats a question after an invalid answer', async () => {
    const program = join(host, 'node_modules/create-keybay/bin/create-keybay.mjs')
    const terminal = spawn('python3', ['-c', 'import pty, sys; pty.spawn(sys.argv[1:])', process.execPath, program], {
      cwd: host,
    })
    let output = ''
    terminal.stdout.on('data', chunk => (output += chunk))
    terminal.stdin.write('taken-not\nangular\n2\nwallet-standard 3\n')
    await once(terminal, 'close')
    expect(output).toContain('“angular” is not one of the choices: type numbers or names, separated by commas.')
    const { dependencies } = readJson(join(host, 'taken-not/package.json'))
    expect(Object.keys(dependencies)).toEqual([
      '@keybay/account',
      '@keybay/kernel',
      '@keybay/react',
      '@keybay/wallet-standard',
      'next',
      'react',
      'react-dom',
    ])
  })
})

describe('create-keybay-plugin', () => {
  /** Runs a script of the package, which begins with `vitest`. */
  const runTests = (folder: string, script: string, env = {}) => {
    const { scripts } = readJson(join(host, folder, 'package.json'))
    return tool(folder, 'vitest/vitest.mjs', scripts[script].split(' ').slice(1), { NO_COLOR: '1', ...env })
  }

  it.each([
    ['wallet', 'pay-later'],
    ['login', 'club'],
  ])('a %s plugin is a package of its own, which compiles and passes its own tests', async (kind, name) => {
    const folder = `keybay-plugin-${name}`
    expect(await create('create-keybay-plugin', name, '--kind', kind)).toMatchObject({ code: 0 })
    expectFinished(folder)
    for (const file of ['README.md', '.gitignore', 'test/size.test.ts'])
      expect(existsSync(join(host, folder, file))).toBe(true)
    expect(readJson(join(host, folder, 'package.json'))).toMatchObject({
      name: folder,
      peerDependencies: { '@keybay/kernel': expect.stringMatching(/^\^\d/) },
    })
    expect(await compile(folder)).toEqual(CLEAN)
    expect(await compile(folder, '-p', 'tsconfig.test.json')).toEqual(CLEAN)
    const { code, output } = await runTests(folder, 'test')
    expect([code, output]).toEqual([0, expect.stringMatching(/Test Files {2}2 passed/)])
  })

  it('the login signs in at the real API, and says what to do if the sandbox does not run', async () => {
    expect(await create('create-keybay-plugin', 'guild', '--kind', 'login')).toMatchObject({ code: 0 })
    const free = { KEYBAY_APP_URL: 'http://127.0.0.1:9', KEYBAY_API_URL: 'http://127.0.0.1:9/api/v0' }
    const without = await runTests('keybay-plugin-guild', 'test:sign-in', free)
    expect([without.code, without.output]).toEqual([
      1,
      expect.stringContaining('The sandbox does not answer. Start it: npm start'),
    ])

    const app = await startApp({
      port: 0,
      chainUrl: 'http://localhost:8899',
      chainWsUrl: 'ws://localhost:8900',
      apiUrl: 'http://localhost:4100/api/v0',
    })
    const origin = `http://127.0.0.1:${app.port}`
    const externalJwt = { issuer: app.url, audience: 'local', jwksUrl: app.jwksUrl }
    const local = { allowedOrigins: [origin], signIn: { external: true }, externalJwt }
    const api = await startApi({
      mode: 'sandbox',
      smtpUrl: 'smtp://127.0.0.1:9',
      smsUrl: 'http://127.0.0.1:9/sms',
      environments: { local },
    })
    try {
      const env = { KEYBAY_APP_URL: origin, KEYBAY_API_URL: api.internalUrl }
      const { code, output } = await runTests('keybay-plugin-guild', 'test:sign-in', env)
      expect([code, output]).toEqual([0, expect.stringMatching(/Tests {2}2 passed/)])
    } finally {
      await api.stop()
      await app.stop()
    }
  })

  it.each([
    [[], 'Give the name of the new plugin.'],
    [['Acme'], 'is no name for a plugin: use lower-case words'],
    [['session'], 'is a reserved word'],
    [['acme-one', '--kind', 'bank'], '--kind is “bank”: use wallet or login'],
    [['one', 'two'], 'Give one name'],
    [['taken'], 'The folder keybay-plugin-taken is not empty'],
  ])('refuses %j, and says what to do', async (args, advice) => {
    write('keybay-plugin-taken/notes.txt', 'mine')
    const { code, output } = await create('create-keybay-plugin', ...args)
    expect([code, output]).toEqual([1, expect.stringContaining(advice)])
    expect(output).not.toContain('    at ')
  })
})

it('the templates name the versions of tools that this repository is tested with', () => {
  const { devDependencies } = readJson(join(root, 'package.json'))
  const manifests = readdirSync(join(root, 'sandbox/create/template'), { recursive: true })
    .map(String)
    .filter(file => file.endsWith('package.json'))
  expect(manifests.length).toBe(6)
  for (const file of manifests) {
    const manifest = readJson(join(root, 'sandbox/create/template', file))
    // Next.js is not installed here, and its own type check needs an older compiler.
    for (const [name, range] of Object.entries({ ...manifest.dependencies, ...manifest.devDependencies }))
      if (devDependencies[name] && !(file.includes('next') && name === 'typescript'))
        expect([file, name, range]).toEqual([file, name, `^${devDependencies[name]}`])
  }
})
