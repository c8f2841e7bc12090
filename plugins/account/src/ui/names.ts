/** Display names of users, credentials and sessions. */
import type { User, UserCredential, UserSession } from '@keybay/account'
import { type AuthenticationMethod, type SecurityEventKind, WAAS_WALLET_NAME } from '@keybay/kernel/spec'
import { type GlyphName, shorten } from '../design/index.js'

export const methods: { readonly [M in AuthenticationMethod]: { readonly name: string; readonly icon: GlyphName } } = {
  email: { name: 'Email', icon: 'mail' },
  phoneNumber: { name: 'Phone', icon: 'phone' },
  blockchain: { name: 'Wallet', icon: 'wallet' },
  passkey: { name: 'Passkey', icon: 'key' },
  externalUser: { name: 'Account of this app’s host', icon: 'host' },
  oauth: { name: 'Social account', icon: 'user' },
}

function isEmbeddedWallet({ walletName }: UserCredential): boolean {
  return walletName === WAAS_WALLET_NAME
}

/** Embedded wallets are credentials too, but cannot sign in. */
export function signInMethods({ credentials }: User): readonly UserCredential[] {
  return credentials.filter(credential => !isEmbeddedWallet(credential))
}

export function embeddedWallets({ credentials }: User): readonly UserCredential[] {
  return credentials.filter(isEmbeddedWallet)
}

/** Returns the text that distinguishes the credential from others. */
export function credentialName(credential: UserCredential): string {
  const { method, email, phoneNumber, address, name, externalUserId, provider, accountId, profile } = credential
  switch (method) {
    case 'email':
      return email ?? ''
    case 'phoneNumber':
      return phoneNumber ?? ''
    case 'blockchain':
      return shorten(address ?? '', 6)
    case 'passkey':
      return name ?? 'Passkey'
    case 'externalUser':
      return externalUserId ?? ''
    case 'oauth':
      return profile?.email ?? profile?.username ?? name ?? profile?.name ?? accountId ?? provider ?? ''
  }
}

/** Returns the name that the user is most likely to recognize. */
export function userName(user: User): string {
  const methods = signInMethods(user)
  const [first] = methods
  const ownName = methods.find(({ profile }) => profile?.name)?.profile?.name
  return user.username ?? ownName ?? user.email ?? user.phoneNumber ?? (first ? credentialName(first) : 'You')
}

const browsers: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/Edg\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\//, 'Firefox'],
  [/Chrome\//, 'Chrome'],
  [/Safari\//, 'Safari'],
]
const systems: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/Android/, 'Android'],
  [/iPhone|iPad/, 'iOS'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
]

/** Returns, for example, `Chrome on Linux`, so that the user recognizes the device. */
export function placeName({ userAgent }: UserSession): string {
  const find = (list: typeof browsers) => list.find(([pattern]) => pattern.test(userAgent ?? ''))?.[1]
  const browser = find(browsers) ?? 'Unknown browser'
  const system = find(systems)
  return system ? `${browser} on ${system}` : browser
}

const EVENTS: { readonly [Kind in SecurityEventKind]: string } = {
  'new-device': 'Signed in from a new device or network',
  'credential-added': 'Way to sign in added',
  'credential-removed': 'Way to sign in removed',
  'factor-added': 'Second factor added',
  'factor-removed': 'Second factor removed',
  'recovery-codes-renewed': 'New recovery codes',
  'sessions-ended': 'Other sessions ended',
  'session-reused': 'Session ended because its token was used twice',
  'wallet-exported': 'Private key exported',
  'backup-read': 'Wallet backup read',
  'backup-removed': 'Wallet backup removed',
  'frame-key-added': 'New browser for wallet backups',
  'accounts-merged': 'Another account merged into this one',
  'deletion-scheduled': 'Account deletion scheduled',
  'deletion-cancelled': 'Account deletion cancelled',
  'data-exported': 'Account data exported',
  blocked: 'Account blocked',
  unblocked: 'Account no longer blocked',
}
const eventNames = new Map<string, string>(Object.entries(EVENTS))

/** Returns what a security event is called. A newer API may send kinds that this page does not know. */
export function eventName(kind: string): string {
  return eventNames.get(kind) ?? 'Account changed'
}
