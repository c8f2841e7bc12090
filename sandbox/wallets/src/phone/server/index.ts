/** Phone's server. `main.ts` runs it; tests start it in their own process. */
export { type Phone, type PhoneOptions, startPhone } from './start-phone.js'
