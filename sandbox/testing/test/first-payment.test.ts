/** Follows the page “From nothing to a payment” as a reader does, from tarballs in empty folders, and pays in its apps. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { getImports, getPackage } from '@keybay/sandbox-tools/imports'
import { followPage } from '@keybay/sandbox-tools/testing/follow-page'
import { createServer, preview } from 'vite'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  APP_ORIGINS,
  connectSandboxWallet,
  install,
  linkInstalled,
  PAGE,
  packPackages,
  pay,
} from '../src/first-payment.js'
import { startPageSandbox } from '../src/page-sandbox.js'

const VITE = 'http://app.localhost:5173'
const NEXT = 'http://app.localhost:3000'

let host: string
let vite: string
let next: string
let sandbox: Awaited<ReturnType<typeof startPageSandbox>>
/** Packages that the page installs in the folder of the Vite app. */
const installed: string[] = []

beforeAll(async () => {
  const starting = startPageSandbox(APP_ORIGINS)
  host = await packPackages()
  const empty = join(host, 'empty')
  vite = join(empty, 'first-payment')
  next = join(empty, 'first-payment-next')
  mkdirSync(empty)
  await followPage(PAGE, empty, (folder, packages) => {
    // Next.js follows no link out of its folder, so npm installs there.
    if (folder === next) return install(host, folder, packages)
    installed.push(...packages)
    linkInstalled(host, folder, packages)
  })
  sandbox = await starting
}, 600_000)
afterAll(async () => {
  await sandbox.stop()
  rmSync(host, { recursive: true, force: true })
})

it('“From nothing to a payment”: the app on Vite, built, signs in and pays, with a clean console', async () => {
  const server = await preview({
    root: vite,
    logLevel: 'silent',
    preview: { port: sandbox.getPort(VITE), host: '127.0.0.1', strictPort: true },
  })
  try {
    expect(await sandbox.visit(VITE, page => pay(page, 'vite@example.com', sandbox.code))).toEqual([])
  } finally {
    await server.close()
  }
})

it('“From nothing to a payment”: the app on Next.js, built, hydrates, signs in and pays, with a clean console', async () => {
  const program = join(next, 'node_modules/next/dist/bin/next')
  const server = spawn(process.execPath, [program, 'start', '--port', String(sandbox.getPort(NEXT))], {
    cwd: next,
    env: { ...process.env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' },
  })
  try {
    let output = ''
    server.stdout.on('data', text => (output += text))
    await expect.poll(() => output).toContain('Ready in')
    expect(await sandbox.visit(NEXT, page => pay(page, 'next@example.com', sandbox.code))).toEqual([])
  } finally {
    server.kill()
    await once(server, 'exit')
  }
})

it('“From nothing to a payment”: while it is developed, the app lists the sandbox’s wallet and connects it', async () => {
  const server = await createServer({
    root: vite,
    logLevel: 'silent',
    server: { port: sandbox.getPort(VITE), host: '127.0.0.1', strictPort: true },
  })
  await server.listen()
  try {
    expect(await sandbox.visit(VITE, connectSandboxWallet)).toEqual([])
  } finally {
    await server.close()
  }
})

it('the page “From nothing to a payment” installs what its code imports, and its builds do not contain the sandbox’s wallet', () => {
  const read = (folder: string) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter(file => /\.(js|tsx?)$/.test(file))
      .map(file => readFileSync(join(folder, file), 'utf8'))
  const imported = read(join(vite, 'src')).flatMap(text => getImports(text).filter(name => !name.startsWith('.')))
  expect(installed).toEqual(expect.arrayContaining([...new Set(imported.map(getPackage))]))
  for (const folder of [join(vite, 'dist/assets'), join(next, '.next/static')]) {
    const scripts = read(folder)
    expect(scripts.some(text => text.includes('Send 0.1 SOL'))).toBe(true)
    expect(scripts.filter(text => text.includes('keybay-sandbox-wallet'))).toEqual([])
  }
})
