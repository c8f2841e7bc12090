/** Steps of the page “From nothing to a payment”: its packages, and what a user does in the app that it builds. */
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { npm } from '@keybay/sandbox-tools/command'
import { readJson, root } from '@keybay/sandbox-tools/repo'
import { createHost, linkPackage, publishedPackages } from '@keybay/sandbox-tools/testing/packed-packages'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { walletWindow } from './pages.js'
import { walletFrame } from './wallet-frame.js'

export const PAGE = readFileSync(join(root, 'sandbox/docs/first-payment.md'), 'utf8')

/** APP_ORIGINS of the command that starts the sandbox. */
export const APP_ORIGINS = /^APP_ORIGINS=(\S+) npm start$/m.exec(PAGE)?.[1] ?? ''

const PUBLISHED = publishedPackages([
  'kernel',
  'react',
  'account',
  'one-time-code',
  'waas',
  'wallet-standard',
  'solana',
  'wallet',
])
const NEXT = readJson(join(root, 'sandbox/create/template/app/next/package.json'))
/** Tested versions of packages that the page names without one. */
const VERSIONS: Readonly<Record<string, string>> = {
  ...readJson(join(root, 'package.json')).devDependencies,
  next: NEXT.dependencies.next.replace('^', ''),
}

/** Packs the page's packages. @returns a new folder with their tarballs, and with `node_modules` of the packages themselves */
export function packPackages(): Promise<string> {
  return createHost(PUBLISHED)
}

/** Links packages as if they were installed, which takes no time; those of npm are the ones of this repository. */
export function linkInstalled(host: string, folder: string, packages: readonly string[]): void {
  for (const name of packages) linkPackage(host, name)
  mkdirSync(join(host, 'node_modules/.bin'), { recursive: true })
  for (const [name, file] of [
    ['tsc', 'typescript/bin/tsc'],
    ['vite', 'vite/bin/vite.js'],
  ] as const) {
    const bin = join(host, 'node_modules/.bin', name)
    if (!existsSync(bin)) symlinkSync(join(host, 'node_modules', file), bin)
  }
  if (!existsSync(join(folder, 'node_modules'))) symlinkSync(join(host, 'node_modules'), join(folder, 'node_modules'))
}

/** Installs packages by npm, ours from their tarballs. `versions` replaces the tested versions of the others. */
export async function install(
  host: string,
  folder: string,
  packages: readonly string[],
  versions: Readonly<Record<string, string>> = {},
): Promise<void> {
  const specifiers = packages.map(name => {
    const published = PUBLISHED.find(pkg => pkg.name === name)
    if (published) return join(host, `${name.slice(1).replace('/', '-')}-${published.manifest.version}.tgz`)
    const version = versions[name] ?? VERSIONS[name]
    return version ? `${name}@${version}` : name
  })
  const quiet = ['--no-audit', '--no-fund', '--ignore-scripts', '--prefer-offline', '--loglevel=error']
  const { code, output } = await npm(['install', ...quiet, ...specifiers], { cwd: folder, show: false })
  expect([code, code === 0 ? '' : output]).toEqual([0, ''])
}

/** Signs in, creates a wallet, and pays from it. */
export async function pay(page: Page, address: string, readCode: (address: string) => Promise<string>): Promise<void> {
  const frame = walletFrame(page)
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
  await press('Sign in by email')
  await page.getByLabel('Email address', { exact: true }).fill(address)
  await press('Continue')
  await page.getByLabel('Code', { exact: true }).fill(await readCode(address))
  await press('Sign in')
  await press('Create a wallet')
  await frame.keepRecoveryCode()
  await press('Connect my wallet')
  await press('Get 1 SOL')
  await page.getByText(/: 1 SOL$/).waitFor()
  await press('Send 0.1 SOL')
  await frame.agree('Sign this transaction?', 'Sign')
  await page.getByText(/ → confirmed$/).waitFor()
}

/** Connects the sandbox's wallet, which only a development build has. */
export async function connectSandboxWallet(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Sandbox Wallet' }).click()
  await walletWindow(page).approve('Connect')
  await page.getByText(/: 0 SOL$/).waitFor()
}
