/** Starts the real product API, with an issuer of tokens that it accepts. */
import { startWorld } from '@keybay/sandbox-api/testing/page-world'

export interface Api {
  readonly url: string
  tokenFor(user: string): Promise<string>
  stop(): Promise<void>
}

export async function startApi(): Promise<Api> {
  const { url, externalToken, stop } = await startWorld()
  return { url, tokenFor: externalToken, stop }
}
