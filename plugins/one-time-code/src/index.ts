/** Logging in with a code by mail or SMS. Look first at `plugin.ts`, then at `sign-in.ts`. */
export { type EmailInput, email, type PhoneInput, phone } from './plugin.js'
export type { CodeMethod } from './prompts.js'
export { VERSION } from './version.js'
