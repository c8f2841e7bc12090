/** What a provider is to the page: data, and only the steps in which it differs. Its other half is `@keybay/social/server`. */
import type { ProviderSteps } from './steps.js'

export interface SocialProvider<Id extends string = string> {
  /** As the product API names it; the connector is `social:<id>`. */
  readonly id: Id
  readonly name: string
  /** Of its mark, e.g. `#4285f4`. */
  readonly colour: string
  /** What the user is asked for at the provider. Without them, what its server half names; ours name the same. */
  readonly scopes?: readonly string[]
  /** Its mark, loaded after the page: one SVG path in a square of 24. */
  icon(): Promise<{ readonly path: string }>
  /** It answers without an authorization code: with signed fields, or in its own way. */
  readonly withoutCode?: boolean
  /** It cannot answer a window: always leaves the page. */
  readonly redirectOnly?: boolean
  /** What has to be known of the user first, e.g. the domain of their shop. */
  readonly asks?: SocialQuestion
  /** Where it differs from the one flow. */
  steps?(): Promise<{ readonly steps: ProviderSteps }>
}
/** A question before the provider is visited. */
export interface SocialQuestion {
  /** The field of `connect`'s input, and of what the API gets. */
  readonly field: string
  /** Asked of the user, e.g. “Your shop’s domain”. */
  readonly label: string
  /** e.g. `acme.myshopify.com` */
  readonly example: string
  /** What the API can take, from its first to its last letter; it looks closer. */
  readonly pattern: RegExp
}
/** What a host may say of one of ours. */
export type ProviderOptions = Partial<Pick<SocialProvider, 'name' | 'colour' | 'scopes'>>

/**
 * A provider of your own; the API needs its server half (`@keybay/social/server`).
 *
 * @example
 * export const acme = () => defineProvider({
 *   id: 'acme', name: 'Acme', colour: '#0a7', icon: () => import('./acme-mark.js'),
 * })
 */
export function defineProvider<const Id extends string>(provider: SocialProvider<Id>): SocialProvider<Id> {
  return provider
}
