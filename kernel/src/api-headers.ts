/** Headers of every request to the product API (S7.2). */
import type { ResolvedConfig } from './config.js'
import { VERSION } from './version.js'

export function apiHeaders(bearer: string | undefined): Readonly<Record<string, string>> {
  return {
    'x-keybay-version': VERSION,
    'x-keybay-api-version': 'v0',
    ...(bearer && { authorization: `Bearer ${bearer}` }),
  }
}

export function credentialsOf({ cookieStorage }: Pick<ResolvedConfig, 'cookieStorage'>): RequestCredentials {
  return cookieStorage ? 'include' : 'same-origin'
}
