/** The page's half of a provider. The API's half is in `@keybay/social/server`. */
import type { ProviderSteps } from './steps.js'

export interface SocialProviderDefinition<Id extends string = string> {
  /** Name of the provider at the product API. Plugin and connector are `social:<id>`. */
  readonly id: Id
  readonly name: string
  /** Colour of the icon, e.g. `#4285f4`. */
  readonly colour: string
  /** Icon: one SVG path in a square of 24, a simple outline. */
  readonly icon: string
  /** Scopes to request. Default: those of the server half. */
  readonly scopes?: readonly string[]
  /** The provider responds without an authorization code: with signed fields, or in a protocol of its own. */
  readonly withoutCode?: boolean
  /** The provider cannot respond to a window, so the page is always left. */
  readonly redirectOnly?: boolean
  /** A value that the flow needs from the user first, e.g. the domain of their shop. */
  readonly asks?: SocialQuestion
  /** Loads the steps in which the provider differs from the common flow. */
  steps?(): Promise<ProviderSteps>
}

export interface SocialQuestion {
  /** Field of `connect`'s input and of the request to the API. */
  readonly field: string
  /** Label of the input, e.g. “Your shop’s domain”. */
  readonly label: string
  /** e.g. `acme.myshopify.com` */
  readonly example: string
  /** Matches a whole valid answer; the API checks it more strictly. */
  readonly pattern: RegExp
}
