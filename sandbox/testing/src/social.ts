/** Signs in with a social provider, as a user does. */
import type { SocialProvider } from '@keybay/kernel/spec'
import type { Page } from 'playwright-core'
import type { Tab } from './visitor.js'

/** Labels of the buttons. */
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

/** Searches the provider in the open dialog, presses its button, and answers its question. */
export async function press({ page, signInDialog: { dialog } }: Tab, provider: SocialProvider): Promise<void> {
  const name = PROVIDER_NAMES[provider]
  await dialog.getByLabel('Search social accounts').fill(name)
  await dialog.getByRole('list', { name: 'Found' }).getByRole('button', { name, exact: true }).click()
  if (provider !== 'shopify') return
  await dialog.getByLabel('Your shop’s domain').fill('acme.myshopify.com')
  await page.keyboard.press('Enter')
}
export async function openWindow(tab: Tab, provider: SocialProvider): Promise<Page> {
  const opened = tab.page.waitForEvent('popup')
  await press(tab, provider)
  return opened
}
/** Time-out in ms of a visit, which is a dozen requests of five services. */
export const VISIT = 45_000

/** Chooses an account at the provider. */
export function choose(page: Page, name = 'Ann Archer'): Promise<void> {
  return page
    .getByRole('list', { name: 'Accounts' })
    .getByRole('button', { name })
    .click({ noWaitAfter: true, timeout: VISIT })
}

export function signedIn({ page }: Tab): Promise<void> {
  return page.getByRole('button', { name: /^Signed in as/ }).waitFor({ timeout: VISIT })
}

export async function signInWith(tab: Tab, provider: SocialProvider, name?: string): Promise<void> {
  await tab.signInDialog.open()
  await choose(await openWindow(tab, provider), name)
  await signedIn(tab)
}
