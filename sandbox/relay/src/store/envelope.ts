/** Envelope encryption of shares: the services share it. */
export { createEnvelope, type Envelope } from '@keybay/sandbox-service/envelope'
