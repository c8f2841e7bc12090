/** Whether connecting a wallet also signs in: what the address says (`?auth-mode=connect-and-sign`), then what was chosen. */
import { readPreference, writePreference } from './shell/preferences.js'

export type AuthMode = 'connect-only' | 'connect-and-sign'
const NAME = 'auth-mode'

function known(value: string | null | undefined): AuthMode | undefined {
  return value === 'connect-only' || value === 'connect-and-sign' ? value : undefined
}

/** Of this page, from its start to its end: the kit asks for it once. */
export const authMode: AuthMode =
  known(new URLSearchParams(location.search).get(NAME)) ?? known(readPreference(NAME)) ?? 'connect-only'
writePreference(NAME, authMode)

/** Loads the page again in the other mode. */
export function changeAuthMode(mode: AuthMode): void {
  writePreference(NAME, mode)
  location.assign(`${location.pathname}?${NAME}=${mode}`)
}
