/** The real API and identity service, with Acme as a provider, for a page in Node's realm. */
import { PAGE } from '@keybay/sandbox-api/testing/account-client/dom'
import { settings, startWorld } from '@keybay/sandbox-api/testing/account-client/support'
import { type Identity, startIdentity } from '@keybay/sandbox-identity'
import { sandboxClient } from '@keybay/sandbox-identity/clients'
import { visit } from '@keybay/sandbox-identity/testing/visit'
import { freePort } from '@keybay/sandbox-tools/free-port'
import { acmeOnServer } from './server.js'

export type SocialWorld = Awaited<ReturnType<typeof startSocialWorld>>

async function startProvider(): Promise<Identity> {
  // The API finds the issuer at its public URL, so the host must resolve in Node.
  const port = await freePort()
  return startIdentity({ port, publicUrl: `http://127.0.0.1:${port}`, redirectUris: [`${PAGE}/auth/social/acme`] })
}

/** Acme's issuer is that of the sandbox's Google. @param environments IDs of environments */
export async function startSocialWorld(environments: readonly string[]) {
  const identity = await startProvider()
  const allowed = { ...settings, signIn: { social: ['acme'] } }
  const world = await startWorld({
    environments: Object.fromEntries(environments.map(id => [id, allowed])),
    social: { providers: [acmeOnServer(`${identity.url}/google`)], clients: { acme: sandboxClient('google') } },
  })
  return {
    issuer: identity.url,
    api: world.api,
    async stop() {
      await world.stop()
      await identity.stop()
    },
  }
}

/** A window in which the user visits the provider. @param user resolves to a user of the identity service, or `cancel` */
export function createPopup(user: () => Promise<string>) {
  const popup = {
    closed: false,
    focus() {},
    close() {
      popup.closed = true
    },
    location: {
      async replace(address: string) {
        const isBack = (url: URL) => url.origin === PAGE
        const { params } = await visit(address, { user: await user(), until: isBack, resolve: url => url })
        const { code, state, error } = params
        const data = {
          type: 'authorization_response',
          provider: 'acme',
          params,
          state,
          ...(code && { code }),
          ...(error && { error }),
        }
        window.dispatchEvent(new window.MessageEvent('message', { origin: PAGE, data }))
      },
    },
  }
  return popup
}
