/** Passkeys: sign-in, sign-up, linking and autofill. Read `api.ts` first, then `plugin.ts`. */
export type { PasskeyApi, PasskeyInput } from './api.js'
export { passkeyExists, passkeyNotFound } from './errors.js'
export { passkey } from './plugin.js'
export { VERSION } from './version.js'
