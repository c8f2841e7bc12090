/** Signing in with a social provider, as a user does it. */
import { SOCIAL_PROVIDERS, type SocialProvider } from '@keybay/kernel/spec'
import type { Page } from 'playwright-core'
import type { Tab } from './visitor.js'

/** As their buttons are called. */
const PROVIDER_NAMES: { readonly [P in SocialProvider]: string } = {
  apple: 'Apple',
  bitbucket: 'Bitbucket',
  coinbasesocial: 'Coinbase',
  discord: 'Discord',
  epicgames: 'Epic Games',
  facebook: 'Facebook',
  farcaster: 'Farcaster',
  github: 'GitHub',
  gitlab: 'GitLab',
  google: 'Google',
  instagram: 'Instagram',
  linkedin: 'LinkedIn',
  microsoft: 'Microsoft',
  twitch: 'Twitch',
  twitter: 'X (Twitter)',
  telegram: 'Telegram',
  spotify: 'Spotify',
  tiktok: 'TikTok',
  line: 'LINE',
  steam: 'Steam',
  shopify: 'Shopify',
  kraken: 'Kraken',
}
export const PROVIDERS: readonly SocialProvider[] = SOCIAL_PROVIDERS

/** Finds the provider in the open dialog, by search, and presses its button; answers what it asks first. */
export async function press({ page, signInDialog: { dialog } }: Tab, provider: SocialProvider): Promise<void> {
  const name = PROVIDER_NAMES[provider]
  await dialog.getByLabel('Search social accounts').fill(name)
  await dialog.getByRole('list', { name: 'Found' }).getByRole('button', { name, exact: true }).click()
  if (provider !== 'shopify') return
  await dialog.getByLabel('Your shop’s domain').fill('acme.myshopify.com')
  await page.keyboard.press('Enter')
}
/** The same, and the window that opens. */
export async function openWindow(tab: Tab, provider: SocialProvider): Promise<Page> {
  const opened = tab.page.waitForEvent('popup')
  await press(tab, provider)
  return opened
}
/** A visit is a dozen requests of five services: on a slow machine it takes longer than one click may, ms. */
export const VISIT = 45_000

/** At the provider: who it is. */
export function choose(page: Page, person = 'Ann Archer'): Promise<void> {
  return page
    .getByRole('list', { name: 'Accounts' })
    .getByRole('button', { name: person })
    .click({ noWaitAfter: true, timeout: VISIT })
}

export function signedIn({ page }: Tab): Promise<void> {
  return page.getByRole('button', { name: /^Signed in as/ }).waitFor({ timeout: VISIT })
}

/** Signs in, in a window. */
export async function signInWith(tab: Tab, provider: SocialProvider, person?: string): Promise<void> {
  await tab.signInDialog.open()
  await choose(await openWindow(tab, provider), person)
  await signedIn(tab)
}
