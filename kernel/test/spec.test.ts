import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { describe, expect, it } from 'vitest'
import * as spec from '../src/spec/index.js'

/** Written by hand from the text of section 3, not from the code. */
const FROM_THE_TEXT: readonly [
  name: string,
  count: number,
  values: readonly string[],
  guard: (value: unknown) => boolean,
][] = [
  [
    'authentication methods',
    6,
    ['blockchain', 'email', 'oauth', 'passkey', 'phoneNumber', 'externalUser'],
    spec.isAuthenticationMethod,
  ],
  [
    'social providers',
    22,
    // biome-ignore format: as the text has them
    ['apple', 'bitbucket', 'coinbasesocial', 'discord', 'epicgames', 'facebook', 'farcaster', 'github', 'gitlab', 'google', 'instagram', 'linkedin', 'microsoft', 'twitch', 'twitter', 'telegram', 'spotify', 'tiktok', 'line', 'steam', 'shopify', 'kraken'],
    spec.isSocialProvider,
  ],
  ['chains', 10, ['ETH', 'EVM', 'FLOW', 'SOL', 'ALGO', 'STARK', 'COSMOS', 'BTC', 'ECLIPSE', 'SUI'], spec.isChain],
  ['wallet backends', 3, ['turnkey', 'turnkeyhd', 'dynamicWaas'], spec.isWalletBackend],
  ['threshold schemes', 3, ['TWO_OF_TWO', 'TWO_OF_THREE', 'THREE_OF_FIVE'], spec.isThresholdSignatureScheme],
  ['MFA methods', 3, ['totp', 'passkey', 'email'], spec.isMfaMethod],
  [
    'MFA actions',
    5,
    ['wallet.waas.sign', 'wallet.waas.export', 'wallet.waas.reshare', 'wallet.waas.refresh', 'user.update'],
    spec.isMfaAction,
  ],
  ['backup providers', 4, ['googleDrive', 'icloud', 'dynamic', 'external'], spec.isBackupProvider],
  ['key types', 4, ['ordinals', 'payment', 'cosmos', 'evm'], spec.isWalletKeyType],
  [
    'connection types',
    7,
    // biome-ignore format: as the text has them
    ['browserExtension', 'custodialService', 'walletConnect', 'qrCode', 'deepLink', 'embeddedWallet', 'smartContractWallet'],
    spec.isWalletConnectionType,
  ],
  ['account-abstraction providers', 4, ['STACKUP', 'PIMLICO', 'ALCHEMY', 'GELATO'], spec.isAccountAbstractionProvider],
  ['environments', 2, ['sandbox', 'live'], spec.isEnvironment],
  [
    'verification steps',
    4,
    ['done', 'verify-email', 'verified-and-transferred', 'verify-sms'],
    spec.isVerificationStep,
  ],
  ['onramp providers', 2, ['banxa', 'coinbaseOnramp'], spec.isOnrampProvider],
  ['onramp statuses', 3, ['pending', 'completed', 'complete'], spec.isOnrampStatus],
  ['duration units', 3, ['days', 'hours', 'minutes'], spec.isDurationUnit],
  [
    'lookup keys',
    6,
    ['email', 'id', 'externalUserId', 'phoneNumber', 'socialUsername', 'socialAccountId'],
    spec.isUserLookupKey,
  ],
  [
    'wallet operations',
    8,
    // biome-ignore format: as the text has them
    ['REACH_THRESHOLD', 'REACH_ALL_PARTIES', 'SIGN_MESSAGE', 'SIGN_TRANSACTION', 'REFRESH', 'RESHARE', 'EXPORT_PRIVATE_KEY', 'NO_OPERATION'],
    spec.isWalletOperation,
  ],
]

const CONSTANTS: Readonly<Record<string, readonly string[]>> = {
  'authentication methods': spec.AUTHENTICATION_METHODS,
  'social providers': spec.SOCIAL_PROVIDERS,
  chains: spec.CHAINS,
  'wallet backends': spec.WALLET_BACKENDS,
  'threshold schemes': spec.THRESHOLD_SIGNATURE_SCHEMES,
  'MFA methods': spec.MFA_METHODS,
  'MFA actions': spec.MFA_ACTIONS,
  'backup providers': spec.BACKUP_PROVIDERS,
  'key types': spec.WALLET_KEY_TYPES,
  'connection types': spec.WALLET_CONNECTION_TYPES,
  'account-abstraction providers': spec.ACCOUNT_ABSTRACTION_PROVIDERS,
  environments: spec.ENVIRONMENTS,
  'verification steps': spec.VERIFICATION_STEPS,
  'onramp providers': spec.ONRAMP_PROVIDERS,
  'onramp statuses': spec.ONRAMP_STATUSES,
  'duration units': spec.DURATION_UNITS,
  'lookup keys': spec.USER_LOOKUP_KEYS,
  'wallet operations': spec.WALLET_OPERATIONS,
}

const EVERY_VALUE = FROM_THE_TEXT.flatMap(([, , values]) => values)
const NEVER_A_VALUE = ['', ' ', 'toString', '__proto__', 'constructor', 0, 1, null, undefined, true, {}, [], ['email']]

describe('[S3.1] enumerations', () => {
  it.each(FROM_THE_TEXT)('%s: %i values, as the specification lists them', (name, count, values) => {
    expect(values).toHaveLength(count)
    expect(CONSTANTS[name]).toEqual(values)
  })

  it.each(FROM_THE_TEXT)('%s: the guard accepts its %i values and nothing else', (_, __, values, guard) => {
    for (const value of values) expect(guard(value), value).toBe(true)
    const near = values.flatMap(value => [`${value} `, ` ${value}`, value.slice(1), `${value}s`, swapCase(value)])
    const foreign = [...EVERY_VALUE, ...near].filter(value => !values.includes(value))
    for (const value of [...foreign, ...NEVER_A_VALUE]) expect(guard(value), String(value)).toBe(false)
  })

  it('wallet error codes: 12 numbers, and the guard refuses a thirteenth', () => {
    expect(spec.WALLET_ERROR_CODES).toEqual({
      UNKNOWN: 0,
      DEFAULT: 1,
      USER_REJECTED: 2,
      MESSAGE_SIGNATURE_DENIED: 3,
      WALLET_LOCKED: 4,
      INVALID_PARAMETERS: 5,
      INTERNAL_ERROR: 6,
      ACCOUNT_ALREADY_LINKED_TO_DIFFERENT_PROFILE: 7,
      CONNECTION_REJECTED: 8,
      MISSING_PUBLIC_ADDRESS: 9,
      CONNECTION_PROPOSAL_EXPIRED: 10,
      SEI_NOT_ENABLED_IN_KEPLR_WALLET: 11,
    })
    for (let code = 0; code < 12; code++) expect(spec.isWalletErrorCode(code)).toBe(true)
    for (const code of [-1, 12, 1.5, Number.NaN, '2', null]) expect(spec.isWalletErrorCode(code)).toBe(false)
  })
})

function swapCase(value: string): string {
  return [...value].map(char => (char === char.toLowerCase() ? char.toUpperCase() : char.toLowerCase())).join('')
}

describe('bundle', () => {
  it('the main entry’s bundle contains no record, enumeration or error catalogue', async () => {
    const entry = fileURLToPath(new URL('../src/index.ts', import.meta.url))
    const { metafile } = await build({
      entryPoints: [entry],
      bundle: true,
      format: 'esm',
      write: false,
      metafile: true,
    })
    const inputs = Object.keys(metafile.inputs).filter(path => path.includes('src/spec/'))
    const names = inputs.map(path => path.replace(/^.*\//, '')).sort()
    expect(names).toEqual([
      'clock.ts',
      'errors.ts',
      'kernel-errors.ts',
      'keybay-error.ts',
      'redact-text.ts',
      'redact.ts',
      'shape.ts',
      'version-check.ts',
      'wallet-errors.ts',
    ])
  })

  it('importing one error adds only that error to a bundle', async () => {
    const entry = fileURLToPath(new URL('../src/spec/index.ts', import.meta.url))
    const { outputFiles } = await build({
      stdin: { contents: `export { invalidEmail } from ${JSON.stringify(entry)}`, resolveDir: '.' },
      bundle: true,
      format: 'esm',
      minify: true,
      write: false,
    })
    const [file] = outputFiles
    expect(file?.text).toContain('The email address is not valid.')
    expect(file?.text.length).toBeLessThan(250)
  })
})
