/**
 * Exports the clients of the sandbox's apps at the providers: ids, secrets, pages. For the services that use them by
 * default.
 */
export { APPLE_KEY_ID, APPLE_TEAM, applePrivateKey } from './apple-key.js'
export { type SandboxClient, sandboxClient } from './clients.js'
