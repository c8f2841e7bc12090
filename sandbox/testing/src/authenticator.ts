/** A device with passkeys, as Chromium simulates one: it is there, and says yes at once. */
import type { Page } from 'playwright-core'

export interface Authenticator {
  /** How many passkeys it holds. */
  count(): Promise<number>
  /** Their credential ids. */
  ids(): Promise<readonly string[]>
  /** Loses some of its passkeys. */
  forget(ids: readonly string[]): Promise<void>
  /** Whether the user touches it when they are asked; true at first. */
  setPresence(present: boolean): Promise<void>
  /** Whether it recognises the user: without, the browser says that they declined. True at first. */
  setVerified(verified: boolean): Promise<void>
  /** Lost, with all that it holds. */
  remove(): Promise<void>
}

export async function addAuthenticator(page: Page): Promise<Authenticator> {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  const plugIn = async (isUserVerified: boolean): Promise<string> => {
    const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified,
        automaticPresenceSimulation: true,
        ctap2Version: 'ctap2_1',
        hasPrf: true,
      },
    })
    return authenticatorId
  }
  let authenticatorId = await plugIn(true)
  const passkeys = async () => (await session.send('WebAuthn.getCredentials', { authenticatorId })).credentials
  const remove = async () => {
    await session.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId })
  }
  return {
    remove,
    // Anew, with what it holds: one that has not recognised the user a few times is blocked from then on.
    async setVerified(verified) {
      const held = await passkeys()
      await remove()
      authenticatorId = await plugIn(verified)
      for (const credential of held) await session.send('WebAuthn.addCredential', { authenticatorId, credential })
    },
    count: async () => (await passkeys()).length,
    ids: async () => (await passkeys()).map(({ credentialId }) => credentialId),
    async forget(ids) {
      for (const credentialId of ids) await session.send('WebAuthn.removeCredential', { authenticatorId, credentialId })
    },
    async setPresence(enabled) {
      await session.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled })
    },
  }
}
