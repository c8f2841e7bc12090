/** Chooses whether connecting a wallet also signs in: from `?auth-mode=connect-and-sign`, else the stored choice. */
import { readPreference, writePreference } from './preferences.js'

type AuthMode = 'connect-only' | 'connect-and-sign'
const NAME = 'auth-mode'

function known(value: string | null | undefined): AuthMode | undefined {
  return value === 'connect-only' || value === 'connect-and-sign' ? value : undefined
}

/** Fixed for the life of the page: the kit reads it once. */
export const authMode: AuthMode =
  known(new URLSearchParams(location.search).get(NAME)) ?? known(readPreference(NAME)) ?? 'connect-only'
writePreference(NAME, authMode)

export function changeAuthMode(mode: AuthMode): void {
  writePreference(NAME, mode)
  location.assign(`${location.pathname}?${NAME}=${mode}`)
}
