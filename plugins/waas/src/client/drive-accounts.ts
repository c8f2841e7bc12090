/** Names the Google accounts that a backup may go to, those linked to the user, so that no other drive is used. */
import type { AccountApi } from '@keybay/account'

/** Operations without a named target: the user chooses it in the frame, or the newest backup's is used. */
const WITHOUT_PLACE = new Set(['createWalletAccount', 'importPrivateKey', 'refreshWalletAccountShares', 'reshare'])
/** Returns true if the frame may request access to Google Drive. */
function usesDrive(type: string, request: object): boolean {
  const backup: unknown = Reflect.get(request, 'backup')
  return (
    /GoogleDrive$/.test(type) ||
    Reflect.get(Object(backup), 'provider') === 'googleDrive' ||
    (WITHOUT_PLACE.has(type) && backup === undefined)
  )
}

/** Returns the addresses of the linked Google accounts, the last used one first. */
export async function getDriveAccounts(
  { user }: Pick<AccountApi, 'user'>,
  type: string,
  request: object,
): Promise<{ readonly driveAccounts?: readonly string[] }> {
  if (!usesDrive(type, request)) return {}
  // A backup does not wait for an unreachable API; then any drive is accepted.
  const known = user.current.user ?? (await user.refresh().catch(() => undefined))
  const driveAccounts = (known?.credentials ?? [])
    .filter(({ provider }) => provider === 'google')
    .toSorted((credential, other) => other.lastUsedAt - credential.lastUsedAt)
    .flatMap(({ profile }) => profile?.email?.toLowerCase() ?? [])
  return driveAccounts.length > 0 ? { driveAccounts } : {}
}
