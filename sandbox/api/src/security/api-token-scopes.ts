/**
 * What an API token of a host's server may do: look users up, read the kits' logs, redeem MFA tokens, read users' tokens
 * of social providers, read the sponsor's address and spending.
 */
export const API_TOKEN_SCOPES = ['users', 'logs', 'mfa', 'social', 'solana'] as const

export type ApiTokenScope = (typeof API_TOKEN_SCOPES)[number]
