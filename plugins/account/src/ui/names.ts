/** Display names of users, credentials and sessions. */
import { type AuthenticationMethod, shorten, WAAS_WALLET_NAME } from '@keybay/kernel/spec'
import type { GlyphName, Messages, securityMessages } from '@keybay/react/ui'
import type { User, UserCredential, UserSession } from '../user.js'

export const METHOD_GLYPHS: { readonly [M in AuthenticationMethod]: GlyphName } = {
  email: 'mail',
  phoneNumber: 'phone',
  blockchain: 'wallet',
  passkey: 'key',
  externalUser: 'host',
  oauth: 'user',
}

/** Key of the method's name. */
export function methodKey<M extends AuthenticationMethod>(method: M): `method_${M}` {
  return `method_${method}`
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
      return shorten(address ?? '')
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
export function placeName({ userAgent }: UserSession, { text }: Messages<typeof securityMessages.texts>): string {
  const find = (list: typeof browsers) => list.find(([pattern]) => pattern.test(userAgent ?? ''))?.[1]
  const browser = find(browsers) ?? text('browserUnknown')
  const system = find(systems)
  return system ? text('browserOn', { browser, system }) : browser
}
