/** Simulates a device with passkeys in Chromium: present, and confirms at once. */
import type { Page } from 'playwright-core'

export type VirtualAuthenticator = Awaited<ReturnType<typeof addAuthenticator>>

/** @param options.hasPrf whether its passkeys have WebAuthn's PRF extension */
export async function addAuthenticator(page: Page, { hasPrf = true } = {}) {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  const add = async (isUserVerified: boolean): Promise<string> => {
    const options = {
      protocol: 'ctap2',
      ctap2Version: 'ctap2_1',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified,
      automaticPresenceSimulation: true,
      hasPrf,
    } as const
    return (await session.send('WebAuthn.addVirtualAuthenticator', { options })).authenticatorId
  }
  let authenticatorId = await add(true)
  const list = async () => (await session.send('WebAuthn.getCredentials', { authenticatorId })).credentials
  /** Removes the device with its passkeys. */
  const remove = async () => {
    await session.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId })
  }
  return {
    remove,
    count: async () => (await list()).length,
    /** Credential IDs, base64. */
    ids: async () => (await list()).map(({ credentialId }) => credentialId),
    hosts: async () => (await list()).map(({ rpId }) => rpId ?? '').sort(),
    async forget(ids: readonly string[]) {
      for (const credentialId of ids) await session.send('WebAuthn.removeCredential', { authenticatorId, credentialId })
    },
    /** Adds a passkey with a known ID and a different secret. */
    async forge(credentialId: string, rpId: string) {
      const pair = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign'])
      const privateKey = Buffer.from(await crypto.subtle.exportKey('pkcs8', pair.privateKey)).toString('base64')
      const userHandle = Buffer.alloc(32, 1).toString('base64')
      const credential = { credentialId, isResidentCredential: true, rpId, privateKey, userHandle, signCount: 0 }
      await session.send('WebAuthn.addCredential', { authenticatorId, credential })
    },
    /** Sets whether the user touches the device. Default true. */
    async setPresence(enabled: boolean) {
      await session.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled })
    },
    /**
     * Sets whether the device recognises the user; if not, the browser reports that the user declined. Default true.
     * Creates a new device with the same passkeys: Chromium blocks one that failed to recognise its user a few times.
     */
    async setVerified(isVerified: boolean) {
      const credentials = await list()
      await remove()
      authenticatorId = await add(isVerified)
      for (const credential of credentials)
        await session.send('WebAuthn.addCredential', { authenticatorId, credential })
    },
  }
}
