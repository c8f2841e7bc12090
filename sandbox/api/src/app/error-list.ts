/**
 * Says of each server and social code of the specification (S8.1, S8.2) who raises it, and when. `npm run errors -w
 * sandbox/api` makes ERRORS.md from it and from the errors that the routes declare.
 */
import {
  type ErrorSpec,
  SERVER_ERROR_CODES,
  type ServerErrorCode,
  SOCIAL_ERROR_CODES,
  type SocialErrorCode,
} from '@keybay/kernel/spec'
import { type ApiErrorCode, getStatus } from '../http/errors.js'
import { routes } from './routes.js'

/** An error of a route of this API; its routes are those that declare it. */
interface Raised {
  readonly when: string
}
/** An error of another part of Keybay. */
interface RaisedElsewhere extends Raised {
  readonly by: string
}
/** An error that no part of Keybay can meet. */
interface Unraised {
  readonly why: string
}
type Facts = Raised | RaisedElsewhere | Unraised

const NO_TRANSFERS = 'no service moves funds: wallets sign, and the chain refuses'

export const SERVER_CODES: { readonly [Code in ServerErrorCode]: Facts } = {
  email_cannot_be_null: { when: 'no address, or a blank one' },
  invalid_email: { when: 'not an ASCII mail address with a domain' },
  email_already_exists: { when: 'another user has it and the environment forbids merging' },
  username_already_exists: { when: 'another user has the name, in upper or lower case' },
  wrong_email_verification_token: { when: 'the code is wrong, used, expired, or of another key or purpose' },
  wrong_sms_verification_token: { when: 'the code is wrong, used, expired, or of another key or purpose' },
  too_many_verification_attempts: { when: 'the sixth try of one challenge, or too many of one user' },
  too_many_email_verification_attempts: { when: 'the sixth try of one code' },
  too_many_sms_verification_attempts: { when: 'the sixth try of one code' },
  too_many_requests: { when: 'a rate limit of the route' },
  too_many_api_tokens: { when: 'the environment has 10' },
  transfer_amount_too_small: { why: NO_TRANSFERS },
  transfer_address_not_whitelisted: {
    why: 'no service moves funds. The relay refuses a signature outside a policy with `policy_refused`',
  },
  transfer_mfa_required: { why: 'a second factor is demanded of the signature, as `mfa_required`' },
  transfer_mfa_failed: { why: 'a wrong second factor is `mfa_invalid_code`' },
  invalid_transfer_funds: { why: 'a transfer of more than the funds is `insufficient_prefund`, before it is signed' },
  mfa_invalid_code: { when: 'the code is wrong, used or late, or the challenge is unknown' },
  mfa_device_not_found: { when: 'the user has no such device' },
  merge_accounts_confirmation: { when: 'another user has it; `details.mergeId` confirms the merge' },
  merge_accounts_invalid: {
    when: 'the merge is unknown or used, or one of the users has a second factor, a wallet, or a pending deletion',
  },
  wallet_not_deployed: { why: 'no plugin has smart-contract wallets' },
  too_many_embedded_wallets_for_user: {
    by: 'relay: `POST /wallets/create/begin`, `POST /wallets/create/finish`, `POST /wallets/import`',
    when: 'the user has `embeddedWallets.mostPerUser` wallets, of all chains',
  },
  too_many_embedded_wallets_per_chain_for_user: {
    why: 'the limit holds for all chains of a user together: `too_many_embedded_wallets_for_user`',
  },
  wallet_account_exists_for_chain: { why: 'a user may have several wallets of one chain' },
  embedded_wallet_address_already_linked: {
    when: 'another wallet of the environment has the address, or another user has the wallet',
  },
  invalid_session_public_key: { when: 'the key of the proof is no public P-256 key' },
  key_share_already_backed_up: { when: 'this envelope is stored already' },
  invalid_key_shares_length: { when: 'the envelope is larger than 16 KiB' },
  unable_to_fetch_balances: { when: 'the node does not give the balance of the sponsor' },
  metadata_size_exceeded: { when: 'more than 2048 bytes as JSON' },
  blocked_user_cannot_transfer_wallet: { when: 'the operator has blocked the user' },
  email_recovery_disabled: { when: 'the environment has none, or the wallet no address' },
  invalid_phone: { when: 'not E.164 without blanks and dashes' },
}

const KIT = 'kit: `@keybay/social`'

export const SOCIAL_CODES: { readonly [Code in SocialErrorCode]: Raised | RaisedElsewhere } = {
  account_already_linked: { when: 'the user has the account' },
  account_already_linked_to_different_profile: { when: 'another user has it, and the environment forbids merging' },
  invalid_provider: { when: 'the provider is unknown' },
  no_account_linked: { when: 'there is nothing to unlink' },
  no_auth_code: { when: 'the provider returned no code' },
  no_oauth_url: { when: 'the provider does not say where to sign in' },
  no_provider: { by: KIT, when: 'the app named no provider' },
  oauth_error: { when: 'the provider refused' },
  oauth_window_blocked: { by: KIT, when: 'the browser opened no window' },
  oauth_window_closed: { by: KIT, when: 'the window was closed' },
  oauth_window_timeout: { by: KIT, when: 'the window did not end in time' },
  provider_not_enabled: { when: 'off in the environment, or without credentials' },
  session_timeout: { when: 'the flow is unknown, used, of another key, or too old' },
  signin_error: { when: 'the provider does not respond' },
  social_linking_not_enabled: { when: 'the environment links none' },
  unlink_error: { when: 'it is the last way to sign in' },
  verification_error: { when: 'the response is not signed by the provider, or not for this flow' },
  general_error: { when: 'the provider responds with what it does not document' },
  user_cancelled: { by: KIT, when: 'the user closed the window' },
}

const MAX_ROUTES = 3

/** Returns the routes that declare the error. */
export function routesThatRaise(code: string): readonly string[] {
  const declares = ({ code: declared }: ErrorSpec) => declared === code
  return routes.filter(({ errors }) => errors.some(declares)).map(({ method, path }) => `${method} ${path}`)
}

function describeRoutes(code: string): string {
  const all = routesThatRaise(code)
  const shown = all.slice(0, MAX_ROUTES).map(route => `\`${route}\``)
  const others = all.length - shown.length
  return [...shown, ...(others > 0 ? [`${others} more`] : [])].join(', ')
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map(cells => `| ${cells.join(' | ')} |`).join('\n')
}

function describeRaised(codes: readonly (readonly [code: ApiErrorCode, Facts])[]): string {
  const rows = codes.flatMap(([code, facts]) => {
    if ('why' in facts) return []
    return 'by' in facts
      ? [[`\`${code}\``, '', facts.by, facts.when]]
      : [[`\`${code}\``, String(getStatus(code)), describeRoutes(code), facts.when]]
  })
  return table(['code', 'status', 'raised by', 'when'], rows)
}

/** Returns the text of ERRORS.md. */
export function describeErrors(): string {
  const server = SERVER_ERROR_CODES.map(code => [code, SERVER_CODES[code]] as const)
  const social = SOCIAL_ERROR_CODES.map(code => [code, SOCIAL_CODES[code]] as const)
  const unraised = server.flatMap(([code, facts]) => ('why' in facts ? [[`\`${code}\``, facts.why]] : []))
  return `# The specification's server codes

Made by \`npm run errors -w sandbox/api\` from \`src/app/error-list.ts\` and the routes. Routes are below
\`/sdk/{environmentId}\`. \`test/errors.test.ts\` and \`test/social-errors.test.ts\` raise each code of this API. Its own codes, of
validation and access, are in \`src/http/errors.ts\`; the errors of each route are in its OpenAPI document.

## Raised

${describeRaised(server)}

## Not raised

Nothing that Keybay does meets these. In the kit they are typed like the others, with the code and message of a server that
raises them.

${table(['code', 'why'], unraised)}

## Social sign-in

${describeRaised(social)}
`
}
