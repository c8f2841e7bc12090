/**
 * Recovers a wallet by email (S4.2). The emailed code is encrypted for this page's key, and authorizes one new passkey. The
 * session lasts 1800 s by default, the code 900 s (S9.1).
 */
import {
  field,
  RECOVERY_CODE_VALIDITY_SECONDS,
  RECOVERY_SESSION_SECONDS,
  recordInvalid,
  recoveryIncomplete,
} from '@keybay/kernel/spec'
import { decryptCredentialBundle, generateP256KeyPair } from '@turnkey/crypto'
import type { BeginRecoveryOptions, CompleteRecoveryOptions, RecoveryState } from './api.js'
import { createKeyStamper, importApiKey } from './api-key.js'
import { recoveryCodeInvalid, turnkeyError } from './errors.js'
import { createPasskey } from './passkey.js'
import { createClient, finish, isKeyGone } from './service.js'
import type { Tools } from './tools.js'

interface Active {
  readonly embeddedKey: string
  readonly organizationId: string
  readonly recoveryUserId: string
  readonly codeExpiresAt: number
  readonly expiresAt: number
  /** Aborts when the recovery ends. */
  readonly controller: AbortController
}
export interface Recovery {
  readonly state: RecoveryState
  begin(options?: BeginRecoveryOptions): Promise<RecoveryState>
  complete(options: CompleteRecoveryOptions): Promise<void>
  end(): void
}

export function createRecovery(tools: Tools): Recovery {
  const { kernel, account } = tools
  const { clock, events } = kernel
  let active: Active | undefined
  let state: RecoveryState = { status: 'none' }
  let stopTimer = () => {}

  const show = (next: RecoveryState): RecoveryState => {
    state = next
    events.emit('turnkey:recovery', next)
    return next
  }
  const end = (status: 'none' | 'expired') => {
    stopTimer()
    active?.controller.abort()
    active = undefined
    if (state.status !== status) show({ status })
  }

  /** Returns the private key in the code. @throws KeybayError `recovery_code_invalid` for any invalid code */
  const decryptCode = ({ embeddedKey, codeExpiresAt }: Active, code: string): string => {
    if (codeExpiresAt <= clock.now()) throw turnkeyError(recoveryCodeInvalid)
    try {
      return decryptCredentialBundle(code.trim(), embeddedKey)
    } catch {
      // Replaces the library's message, because it contains the code.
      throw turnkeyError(recoveryCodeInvalid)
    }
  }

  /** The code expired by the server's clock, or a newer one replaced it. */
  const rethrow = (error: unknown): never => {
    throw isKeyGone(error) ? turnkeyError(recoveryCodeInvalid) : error
  }

  return {
    get state() {
      return state
    },
    end: () => end('none'),
    async begin({ sessionExpiration = RECOVERY_SESSION_SECONDS } = {}) {
      const embedded = generateP256KeyPair()
      const startedAt = clock.now()
      const response = await account.request('/custody/recovery', {
        method: 'POST',
        body: { targetPublicKey: embedded.publicKeyUncompressed },
      })
      const [organizationId, recoveryUserId] = [field(response, 'organizationId'), field(response, 'recoveryUserId')]
      if (typeof organizationId !== 'string' || typeof recoveryUserId !== 'string') throw turnkeyError(recordInvalid)
      stopTimer()
      const codeExpiresAt = startedAt + RECOVERY_CODE_VALIDITY_SECONDS * 1000
      const expiresAt = startedAt + sessionExpiration * 1000
      const controller = new AbortController()
      const embeddedKey = embedded.privateKey
      active = { embeddedKey, organizationId, recoveryUserId, codeExpiresAt, expiresAt, controller }
      stopTimer = clock.after(sessionExpiration * 1000, () => end('expired'))
      return show({ status: 'active', recoveryUserId, codeExpiresAt, expiresAt })
    },
    async complete({ code, recoveryUserId, email, passkeyName }) {
      const userName = passkeyName || email
      if (!recoveryUserId || !userName) throw turnkeyError(recoveryIncomplete)
      if (!active || active.expiresAt <= clock.now() || active.recoveryUserId !== recoveryUserId)
        throw turnkeyError(recoveryCodeInvalid)
      const { organizationId, controller } = active
      const key = await importApiKey(decryptCode(active, code))
      const client = createClient(tools, createKeyStamper(key))
      // Checked first, because a rejected code must not leave an unusable passkey behind.
      await client.getWhoami({ organizationId }).catch(rethrow)
      const authenticator = { authenticatorName: userName, ...(await createPasskey(tools, userName)) }
      const response = await client
        .recoverUser({
          type: 'ACTIVITY_TYPE_RECOVER_USER',
          timestampMs: String(clock.now()),
          organizationId,
          parameters: { userId: recoveryUserId, authenticator },
        })
        .catch(rethrow)
      await finish(tools, response, {
        poll: activityId => client.getActivity({ organizationId, activityId }),
        signal: controller.signal,
      })
      end('none')
    },
  }
}
