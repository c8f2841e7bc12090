/** A device with passkeys, as Chromium simulates one: it is there, and says yes at once. */
import type { Page } from 'playwright-core'

export interface Authenticator {
  /** How many passkeys it holds. */
  count(): Promise<number>
  /** Whether the person touches it when they are asked; true at first. */
  setPresence(present: boolean): Promise<void>
}

export const addAuthenticator = async (page: Page): Promise<Authenticator> => {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return {
    async count() {
      const { credentials } = await session.send('WebAuthn.getCredentials', { authenticatorId })
      return credentials.length
    },
    async setPresence(enabled) {
      await session.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled })
    },
  }
}
