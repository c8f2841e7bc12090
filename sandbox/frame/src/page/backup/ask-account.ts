/** Asks the user which account at a provider gets the backups of a wallet. The page opens the provider's window. */
import type { BackupProvider } from '@keybay/kernel/spec'
import { paragraph } from '../screen/dom.js'
import { lineList, warningLines } from '../screen/questions.js'
import type { Screen } from '../screen/screen.js'
import { PLACES } from './ask-place.js'
import type { BackupAccount } from './store.js'

/**
 * @param warning what the user should know about the previous accounts; empty for a first backup
 * @throws KeybayError `consent_required` in a hidden frame; `user_rejected`
 */
export async function askAccount(
  screen: Screen,
  {
    provider,
    account,
    warning,
  }: { readonly provider: BackupProvider; readonly account: BackupAccount; readonly warning: string },
  signal: AbortSignal,
): Promise<void> {
  await screen.ask({
    title: 'Back up to this account?',
    content: [
      lineList([{ label: PLACES[provider][0], value: account.name }]),
      ...warningLines(warning ? [warning] : []),
      paragraph('Backups of this wallet go to this account. It must be yours.'),
    ],
    action: 'Use this account',
    guard: { address: account.name },
    signal,
    read: () => undefined,
  })
}
