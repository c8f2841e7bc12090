/** Envelope encryption of shares, from the services' common package. */
export { createEnvelope, type Envelope } from '@keybay/sandbox-service/envelope'
