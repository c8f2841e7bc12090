/** What a provider may do in its own way. Types only. */
import type { ErrorSpec, KeybayError } from '@keybay/kernel'

/** A flow that the API has begun. */
export interface SocialFlow {
  readonly flowId: string
  /** Where the user is sent. */
  readonly authorizationUrl: string
}
export interface StepTools {
  /** Aborts with the attempt. */
  readonly signal: AbortSignal
  /** Stores the attempt, and leaves the page; without an address the provider's own script leaves it. Never settles. */
  leave(url?: string): Promise<never>
  /** An error of this provider's connector. */
  fail(error: ErrorSpec, cause?: unknown): KeybayError
}
export interface ProviderSteps {
  /** Instead of visiting `authorizationUrl`, where the page is left. @throws KeybayError */
  visit?(flow: SocialFlow, tools: StepTools): Promise<never>
}
