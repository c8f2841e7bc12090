/** A passkey as a second factor. The library comes when one is first used. */
import { webauthnUnsupported } from '@keybay/kernel/spec'
import type { Authenticate } from './factor.js'
import { fault, kernelFault, toFault } from './fault.js'

export type LoadWebAuthn = () => Promise<
  Pick<typeof import('@simplewebauthn/browser'), 'browserSupportsWebAuthn' | 'startAuthentication'>
>

export function createAuthenticate(load: LoadWebAuthn): Authenticate {
  return async optionsJSON => {
    if (!optionsJSON) throw kernelFault('requestFailed', { detail: 'unexpected answer' })
    const { browserSupportsWebAuthn, startAuthentication } = await load()
    if (!browserSupportsWebAuthn()) throw fault(webauthnUnsupported)
    try {
      return await startAuthentication({ optionsJSON })
    } catch (thrown) {
      // The user closed the dialog, or let it wait: browsers do not tell which.
      const refused = thrown instanceof Error && /^(NotAllowed|Abort)Error$/.test(thrown.name)
      throw refused ? kernelFault('userRejected', { cause: thrown }) : toFault(thrown)
    }
  }
}
