/**
 * Recovery by email (S4.2): the code in the mail is sealed to a key of this page; with what is in it one new passkey is
 * added. Active for 1800 s, or as given; the code is good for 900 s (S9.1).
 */
import {
  RECOVERY_CODE_VALIDITY_SECONDS,
  RECOVERY_SESSION_SECONDS,
  recordInvalid,
  recoveryIncomplete,
} from '@keybay/kernel/spec'
import { decryptCredentialBundle, generateP256KeyPair } from '@turnkey/crypto'
import type { BeginRecoveryOptions, CompleteRecoveryOptions, RecoveryState } from './api.js'
import { recoveryCodeInvalid } from './errors.js'
import { createPasskey } from './passkey.js'
import { finish, isKeyGone } from './service.js'
import { keyClient } from './session.js'
import type { Tools } from './tools.js'

interface Active {
  readonly embeddedKey: string
  readonly organizationId: string
  readonly recoveryUserId: string
  readonly codeExpiresAt: number
  readonly expiresAt: number
  /** Aborted with its end. */
  readonly span: AbortController
}
export interface Recovery {
  readonly state: RecoveryState
  begin(options?: BeginRecoveryOptions): Promise<RecoveryState>
  complete(options: CompleteRecoveryOptions): Promise<void>
  end(): void
}

export function createRecovery(tools: Tools): Recovery {
  const { kernel, account, fault } = tools
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
    active?.span.abort()
    active = undefined
    if (state.status !== status) show({ status })
  }

  /** @throws KeybayError that says the same of every code that is of no use */
  const privateKeyOf = ({ embeddedKey, codeExpiresAt }: Active, code: string): string => {
    if (codeExpiresAt <= clock.now()) throw fault(recoveryCodeInvalid)
    try {
      return decryptCredentialBundle(code.trim(), embeddedKey)
    } catch {
      // Its words quote the code.
      throw fault(recoveryCodeInvalid)
    }
  }

  /** Over by the service's clock, or because a newer code was asked for elsewhere. */
  const refused = (error: unknown): never => {
    throw isKeyGone(error) ? fault(recoveryCodeInvalid) : error
  }

  return {
    get state() {
      return state
    },
    end: () => end('none'),
    async begin({ sessionExpiration = RECOVERY_SESSION_SECONDS } = {}) {
      const embedded = generateP256KeyPair()
      const asked = clock.now()
      const answer = await account.request('/custody/recovery', {
        method: 'POST',
        body: { targetPublicKey: embedded.publicKeyUncompressed },
      })
      const organizationId: unknown = Reflect.get(Object(answer), 'organizationId')
      const recoveryUserId: unknown = Reflect.get(Object(answer), 'recoveryUserId')
      if (typeof organizationId !== 'string' || typeof recoveryUserId !== 'string') throw fault(recordInvalid)
      stopTimer()
      const [codeExpiresAt, expiresAt] = [
        asked + RECOVERY_CODE_VALIDITY_SECONDS * 1000,
        asked + sessionExpiration * 1000,
      ]
      const span = new AbortController()
      active = { embeddedKey: embedded.privateKey, organizationId, recoveryUserId, codeExpiresAt, expiresAt, span }
      stopTimer = clock.after(sessionExpiration * 1000, () => end('expired'))
      return show({ status: 'active', recoveryUserId, codeExpiresAt, expiresAt })
    },
    async complete({ code, recoveryUserId, email, passkeyName }) {
      const userName = passkeyName || email
      if (!recoveryUserId || !userName) throw fault(recoveryIncomplete)
      if (!active || active.expiresAt <= clock.now() || active.recoveryUserId !== recoveryUserId)
        throw fault(recoveryCodeInvalid)
      const { organizationId, span } = active
      const client = keyClient(tools, privateKeyOf(active, code))
      // A code that custody no longer takes must leave no passkey behind that opens nothing.
      await client.getWhoami({ organizationId }).catch(refused)
      const authenticator = { authenticatorName: userName, ...(await createPasskey(tools, userName)) }
      const answer = await client
        .recoverUser({
          type: 'ACTIVITY_TYPE_RECOVER_USER',
          timestampMs: String(clock.now()),
          organizationId,
          parameters: { userId: recoveryUserId, authenticator },
        })
        .catch(refused)
      await finish(tools, answer, {
        ask: activityId => client.getActivity({ organizationId, activityId }),
        signal: span.signal,
      })
      end('none')
    },
  }
}
