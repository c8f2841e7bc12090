import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { beforeAll, expect, it } from 'vitest'
import { APP_LIMIT_KB, appBytes } from '../src/app-size.mjs'
import { frameBytes } from '../src/frame-size.mjs'
import { parseOptions } from '../src/options.mjs'
import {
  ACCOUNTS_LIMIT,
  ALL_LIMIT,
  FRAME_LIMIT,
  KIT_LIMIT,
  SIZE_LIMIT,
  SOCIAL_LIMITS,
  SOLANA_LIMIT,
  TURNKEY_LIMIT,
  WAAS_LIMIT,
  WALLETS_LIMIT,
} from '../src/reports.mjs'
import { KiB, measureSizes, type Size } from '../src/sizes.mjs'

let sizes: ReadonlyMap<string, Size>

function initial(name: string) {
  return (sizes.get(name)?.initial ?? Number.NaN) / KiB
}

beforeAll(async () => {
  const names = [
    'keybay',
    'keybay-solana',
    'keybay-accounts',
    'keybay-kit',
    'keybay-social-one',
    'keybay-social',
    'keybay-waas',
    'keybay-turnkey',
    'keybay-wallets',
    'keybay-all',
  ]
  sizes = await measureSizes(parseOptions(names).entries)
})

it('the kit lists, connects and signs within 11.5 KiB', () => {
  expect(initial('keybay')).toBeLessThanOrEqual(SIZE_LIMIT)
})

it('registering Solana adds at most 1.75 KiB, and loads web3.js only when it is used', () => {
  expect(initial('keybay-solana') - initial('keybay')).toBeLessThanOrEqual(SOLANA_LIMIT)
  expect(sizes.get('keybay-solana')?.packages.map(({ name }) => name)).not.toContain('@solana/web3.js')
  expect(sizes.get('keybay-solana')?.total).toBeGreaterThan(50 * KiB)
})

it('the kit signs users in within 14.5 KiB, and loads WebAuthn only when it is used', () => {
  expect(initial('keybay-accounts')).toBeLessThanOrEqual(ACCOUNTS_LIMIT)
  expect(sizes.get('keybay-accounts')?.packages.map(({ name }) => name)).not.toContain('@simplewebauthn/browser')
})

it('the UI kit with its style sheet adds at most 25 KiB, and loads each view when it is first shown', () => {
  const sheet = readFileSync(fileURLToPath(import.meta.resolve('@keybay/react/ui.css')))
  const added = initial('keybay-kit') - initial('keybay-accounts') + gzipSync(sheet).length / KiB
  expect(added).toBeLessThanOrEqual(KIT_LIMIT)
  // A button alone is this large; less would be the wrong entry.
  expect(added).toBeGreaterThan(5)
  const first = sizes.get('keybay-kit')?.files.map(({ name }) => name)
  expect(first).toContain('@keybay/account sign-in-dialog.js')
  for (const view of [
    'dialog.js',
    'methods-view.js',
    'code-view.js',
    'mfa-view.js',
    'prompt-views.js',
    'cards.js',
    'profile-card.js',
    'deletion-notice.js',
    'mfa-card.js',
  ])
    expect(first).not.toContain(`@keybay/account ${view}`)
  expect(first).toContain('@keybay/solana wallet-panel.js')
  for (const view of [
    'receive-view.js',
    'send-view.js',
    'activity-view.js',
    'history.js',
    'network-view.js',
    'tokens-view.js',
  ])
    expect(first).not.toContain(`@keybay/solana ${view}`)
  for (const view of ['backup-nudge-view.js', 'signing-status-view.js'])
    expect(first).not.toContain(`@keybay/waas ${view}`)
  for (const texts of [
    'sign-in.js',
    'prompts.js',
    'profile.js',
    'security.js',
    'protection.js',
    'send.js',
    'backup.js',
    'load.js',
  ])
    expect(first).not.toContain(`@keybay/react ${texts}`)
})

it('custody wallets add at most 0.6 KiB, and load Turnkey’s client only when it is used', () => {
  expect(initial('keybay-turnkey') - initial('keybay-waas')).toBeLessThanOrEqual(TURNKEY_LIMIT)
  expect(sizes.get('keybay-turnkey')?.packages.map(({ name }) => name)).not.toContain('@turnkey/http')
})

it('one social provider adds at most 0.8 KiB and all 22 add 3.5 KiB, and the flow loads on the first click', () => {
  const added = (name: string) => initial(name) - initial('keybay-accounts')
  expect(added('keybay-social-one')).toBeLessThanOrEqual(SOCIAL_LIMITS.one)
  expect(added('keybay-social')).toBeLessThanOrEqual(SOCIAL_LIMITS.all)
  const [one, all] = ['keybay-social-one', 'keybay-social'].map(name =>
    sizes
      .get(name)
      ?.files.filter(file => file.name.startsWith('@keybay/social'))
      .map(file => file.name),
  )
  expect(one).toContain('@keybay/social google.js')
  expect(one).not.toContain('@keybay/social github.js')
  expect(all).not.toContain('@keybay/social engine.js')
})

it('the kit has embedded wallets within 15.5 KiB, and loads the frame client only when it is used', () => {
  expect(initial('keybay-waas')).toBeLessThanOrEqual(WAAS_LIMIT)
  const first = sizes.get('keybay-waas')?.packages.map(({ name }) => name)
  expect(first).toContain('@keybay/waas')
  expect(first).not.toContain('valibot')
})

it('deep links, mobile wallets and extensions add at most 2 KiB, and everything stays within 22 KiB', () => {
  expect(initial('keybay-wallets') - initial('keybay-waas')).toBeLessThanOrEqual(WALLETS_LIMIT)
  expect(initial('keybay-all')).toBeLessThanOrEqual(ALL_LIMIT)
  const first = sizes.get('keybay-wallets')?.packages.map(({ name }) => name)
  expect(first).toEqual(
    expect.arrayContaining(['@keybay/browser-extension', '@keybay/deep-link', '@keybay/mobile-wallet']),
  )
  for (const later of ['tweetnacl', 'bs58', '@solana/web3.js', '@solana-mobile/mobile-wallet-adapter-protocol'])
    expect(first).not.toContain(later)
})

it('the wallet frame loads within 90 KiB', () => {
  expect(frameBytes() / KiB).toBeLessThanOrEqual(FRAME_LIMIT)
  // FROST alone is this large; a smaller page would be the wrong page.
  expect(frameBytes()).toBeGreaterThan(19 * KiB)
})

it('the app loads its first page within 140 KB, so that 160 KB hold what follows on that page too', () => {
  expect(appBytes() / 1000).toBeLessThanOrEqual(APP_LIMIT_KB)
  // React alone is this large; a smaller page would be the wrong page.
  expect(appBytes() / 1000).toBeGreaterThan(60)
})
