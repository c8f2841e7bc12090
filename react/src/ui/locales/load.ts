/** Loads the texts of one section in one language. */
import type { UiLocale } from '../messages.js'
import { pseudo } from './pseudo.js'

type Texts = Readonly<Record<string, string>>
type Load = () => Promise<{ readonly texts: Texts }>

const FILES: { readonly [L in Exclude<UiLocale, 'en'>]: Readonly<Record<string, Load>> } = {
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
  pseudo: {
    ui: async () => pseudo((await import('./en/ui.js')).ui),
    backup: async () => pseudo((await import('./en/backup.js')).backupMessages),
    choices: async () => pseudo((await import('./en/choices.js')).choiceMessages),
    errors: async () => pseudo((await import('./en/errors.js')).errorMessages),
    'wallet-errors': async () => pseudo((await import('./en/wallet-errors.js')).walletErrorMessages),
    prompts: async () => pseudo((await import('./en/prompts.js')).promptMessages),
    profile: async () => pseudo((await import('./en/profile.js')).profileMessages),
    protection: async () => pseudo((await import('./en/protection.js')).protectionMessages),
    security: async () => pseudo((await import('./en/security.js')).securityMessages),
    'sign-in': async () => pseudo((await import('./en/sign-in.js')).signInMessages),
    signing: async () => pseudo((await import('./en/signing.js')).signingMessages),
    wallet: async () => pseudo((await import('./en/wallet.js')).walletMessages),
    send: async () => pseudo((await import('./en/send.js')).sendMessages),
    activity: async () => pseudo((await import('./en/activity.js')).activityMessages),
    network: async () => pseudo((await import('./en/network.js')).networkMessages),
  },
}

/** Returns undefined for a section that the language does not have. */
export async function loadTexts(locale: Exclude<UiLocale, 'en'>, section: string): Promise<Texts | undefined> {
  return (await FILES[locale][section]?.())?.texts
}
