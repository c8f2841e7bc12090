/** Loads the texts of one section in one language. */
import type { UiLocale } from '../messages.js'

type Texts = Readonly<Record<string, string>>
type Load = () => Promise<{ readonly texts: Texts }>

const FILES: { readonly [L in Exclude<UiLocale, 'en' | 'pseudo'>]: Readonly<Record<string, Load>> } = {
  es: {
    ui: () => import('./es/ui.js'),
    backup: () => import('./es/backup.js'),
    choices: () => import('./es/choices.js'),
    codes: () => import('./es/codes.js'),
    errors: () => import('./es/errors.js'),
    'wallet-errors': () => import('./es/wallet-errors.js'),
    prompts: () => import('./es/prompts.js'),
    profile: () => import('./es/profile.js'),
    protection: () => import('./es/protection.js'),
    security: () => import('./es/security.js'),
    'sign-in': () => import('./es/sign-in.js'),
    signing: () => import('./es/signing.js'),
    wallet: () => import('./es/wallet.js'),
    send: () => import('./es/send.js'),
    activity: () => import('./es/activity.js'),
    network: () => import('./es/network.js'),
  },
  ar: {
    ui: () => import('./ar/ui.js'),
    backup: () => import('./ar/backup.js'),
    choices: () => import('./ar/choices.js'),
    codes: () => import('./ar/codes.js'),
    errors: () => import('./ar/errors.js'),
    'wallet-errors': () => import('./ar/wallet-errors.js'),
    prompts: () => import('./ar/prompts.js'),
    profile: () => import('./ar/profile.js'),
    protection: () => import('./ar/protection.js'),
    security: () => import('./ar/security.js'),
    'sign-in': () => import('./ar/sign-in.js'),
    signing: () => import('./ar/signing.js'),
    wallet: () => import('./ar/wallet.js'),
    send: () => import('./ar/send.js'),
    activity: () => import('./ar/activity.js'),
    network: () => import('./ar/network.js'),
  },
}

/** Returns undefined for a section that the language does not have. */
export async function loadTexts(locale: Exclude<UiLocale, 'en'>, section: string): Promise<Texts | undefined> {
  if (locale === 'pseudo') return (await import('./pseudo.js')).loadPseudo(section)
  return (await FILES[locale][section]?.())?.texts
}
