/** A device with passkeys, as Chromium simulates one: it is there, and says yes at once. */
import type { Page } from 'playwright-core'

export interface Authenticator {
  /** The hosts that it has a passkey for. */
  hosts(): Promise<string[]>
  /** Ids of its passkeys, base64. */
  ids(): Promise<string[]>
  /** Puts a passkey with that id into it, for that host: the same name, and another secret. */
  forge(credentialId: string, rpId: string): Promise<void>
}

/** @param hasPrf whether its passkeys have WebAuthn's PRF extension */
export async function addAuthenticator(page: Page, { hasPrf = true } = {}): Promise<Authenticator> {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      ctap2Version: 'ctap2_1',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
      hasPrf,
    },
  })
  const credentials = async () => (await session.send('WebAuthn.getCredentials', { authenticatorId })).credentials
  return {
    hosts: async () => (await credentials()).map(({ rpId }) => rpId ?? '').sort(),
    ids: async () => (await credentials()).map(({ credentialId }) => credentialId),
    async forge(credentialId, rpId) {
      const pair = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign'])
      const privateKey = Buffer.from(await crypto.subtle.exportKey('pkcs8', pair.privateKey)).toString('base64')
      const userHandle = Buffer.alloc(32, 1).toString('base64')
      const credential = { credentialId, isResidentCredential: true, rpId, privateKey, userHandle, signCount: 0 }
      await session.send('WebAuthn.addCredential', { authenticatorId, credential })
    },
  }
}
