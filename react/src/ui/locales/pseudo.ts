/** Makes texts of English that are marked, so that a test finds the ones that are not translated. */
import type { MessageSection } from '../messages.js'

const ACCENTS: Readonly<Record<string, string>> = {
  a: 'á',
  e: 'é',
  i: 'í',
  o: 'ó',
  u: 'ú',
  A: 'Á',
  E: 'É',
  I: 'Í',
  O: 'Ó',
  U: 'Ú',
}

function accent(text: string): string {
  // Placeholders stay as they are.
  const parts = text.split(/(\{\w+\})/)
  return parts
    .map((part, index) => (index % 2 ? part : part.replace(/[aeiou]/gi, letter => ACCENTS[letter] ?? letter)))
    .join('')
}

const SECTIONS: Readonly<Record<string, () => Promise<MessageSection>>> = {
  ui: async () => (await import('./en/ui.js')).ui,
  backup: async () => (await import('./en/backup.js')).backupMessages,
  choices: async () => (await import('./en/choices.js')).choiceMessages,
  errors: async () => (await import('./en/errors.js')).errorMessages,
  'wallet-errors': async () => (await import('./en/wallet-errors.js')).walletErrorMessages,
  prompts: async () => (await import('./en/prompts.js')).promptMessages,
  profile: async () => (await import('./en/profile.js')).profileMessages,
  protection: async () => (await import('./en/protection.js')).protectionMessages,
  security: async () => (await import('./en/security.js')).securityMessages,
  'sign-in': async () => (await import('./en/sign-in.js')).signInMessages,
  signing: async () => (await import('./en/signing.js')).signingMessages,
  wallet: async () => (await import('./en/wallet.js')).walletMessages,
  send: async () => (await import('./en/send.js')).sendMessages,
  activity: async () => (await import('./en/activity.js')).activityMessages,
  network: async () => (await import('./en/network.js')).networkMessages,
}

/** Returns the texts of an English section, marked; undefined for one that English does not have. */
export async function loadPseudo(section: string): Promise<MessageSection['texts'] | undefined> {
  const english = await SECTIONS[section]?.()
  return english && Object.fromEntries(Object.entries(english.texts).map(([key, text]) => [key, `⟦${accent(text)}⟧`]))
}
