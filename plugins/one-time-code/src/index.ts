/** Sign-in with a code by mail or SMS. Read `plugin.ts` first, then `sign-in.ts`. */
export { type EmailInput, email, type PhoneInput, phone } from './plugin.js'
export type { CodeMethod } from './prompts.js'
export { VERSION } from './version.js'
