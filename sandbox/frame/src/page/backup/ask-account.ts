/** Asks the user which account at a provider gets the backups of a wallet. The page opens the provider's window. */
import type { BackupProvider } from '@keybay/kernel/spec'
import { paragraph } from '../screen/dom.js'
import { lineList } from '../screen/questions.js'
import type { Screen } from '../screen/screen.js'
import type { BackupAccount } from './store.js'

const PLACES: { readonly [P in BackupProvider]?: string } = { googleDrive: 'Google Drive', icloud: 'iCloud' }

/**
 * @param previous account that the user agreed to before
 * @throws KeybayError `consent_required` in a hidden frame; `user_rejected`
 */
export async function askAccount(
  screen: Screen,
  {
    provider,
    account,
    previous,
  }: {
    readonly provider: BackupProvider
    readonly account: BackupAccount
    readonly previous: BackupAccount | undefined
  },
  signal: AbortSignal,
): Promise<void> {
  const old = previous?.name === account.name ? `another account of ${account.name}` : previous?.name
  const warning = previous && [
    paragraph(`So far, the backup of this wallet went to ${old}.`, 'problem'),
    paragraph('The backup there goes out of date. Continue only if the new account is yours.', 'problem'),
  ]
  await screen.ask({
    title: 'Back up to this account?',
    content: [
      lineList([{ label: PLACES[provider] ?? provider, value: account.name }]),
      ...(warning ?? [paragraph('The backup of this wallet goes to this account from now on. It must be yours.')]),
    ],
    action: 'Use this account',
    guard: { address: account.name },
    signal,
    read: () => undefined,
  })
}
