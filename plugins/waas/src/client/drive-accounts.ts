/** Whose drive a backup goes to: the Google account that the user signs in with, and no other by a slip. */
import type { AccountApi } from '@keybay/account'

/** A backup without a place: the user chooses it in the frame, or it goes to where the newest one is. */
const WITHOUT_PLACE = new Set(['createWalletAccount', 'importPrivateKey', 'refreshWalletAccountShares', 'reshare'])
/** Whether the frame may ask for access to a drive of Google's. */
function usesDrive(type: string, request: object): boolean {
  const backup: unknown = Reflect.get(request, 'backup')
  return (
    /GoogleDrive$/.test(type) ||
    Reflect.get(Object(backup), 'provider') === 'googleDrive' ||
    (WITHOUT_PLACE.has(type) && backup === undefined)
  )
}

/** What goes along with a request: the addresses of the linked Google accounts, the one last used first. */
export async function driveAccountsOf(
  { user }: Pick<AccountApi, 'user'>,
  type: string,
  request: object,
): Promise<{ readonly driveAccounts?: readonly string[] }> {
  if (!usesDrive(type, request)) return {}
  // A backup does not wait for an API that is away: then any drive will do.
  const known = user.current.user ?? (await user.refresh().catch(() => undefined))
  const driveAccounts = (known?.credentials ?? [])
    .filter(({ provider }) => provider === 'google')
    .toSorted((one, other) => other.lastUsedAt - one.lastUsedAt)
    .flatMap(({ profile }) => profile?.email?.toLowerCase() ?? [])
  return driveAccounts.length > 0 ? { driveAccounts } : {}
}
