/** Steps that a provider may replace. Types only. */
import type { ErrorSpec, KeybayError } from '@keybay/kernel/spec'

export interface SocialFlow {
  readonly flowId: string
  readonly authorizationUrl: string
}
export interface StepTools {
  /** Aborts with the attempt. */
  readonly signal: AbortSignal
  /** Stores the attempt and leaves the page; without a URL the provider's script leaves it. Never settles. */
  leave(url?: string): Promise<never>
  fail(error: ErrorSpec, cause?: unknown): KeybayError
}
export interface ProviderSteps {
  /** Replaces the navigation to `authorizationUrl` where the page is left. @throws KeybayError */
  visit?(flow: SocialFlow, tools: StepTools): Promise<never>
}
