/** Passkeys: signing in, signing up, linking, autofill. Look first at `plugin.ts`, then at `api.ts`. */
export type { PasskeyApi, PasskeyInput } from './api.js'
export { passkeyExists, passkeyNotFound } from './errors.js'
export { passkey } from './plugin.js'
export { VERSION } from './version.js'
