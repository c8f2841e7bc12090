import { describe, expect, it } from 'vitest'
import { type ErrorSpec, isKeybayError } from '../src/spec/errors.js'
import * as spec from '../src/spec/index.js'

/** The code and message that `run` throws. */
function thrown(run: () => void): { code: string; message: string } | undefined {
  try {
    run()
  } catch (error) {
    if (isKeybayError(error)) return { code: error.code, message: error.message }
    throw error
  }
  return undefined
}

describe('records from outside', () => {
  it('refuses a record that is not an object', () => {
    for (const value of [null, undefined, 'text', 1, [], [{}]])
      expect(thrown(() => spec.checkSolanaNetwork(value))?.code).toBe('record_invalid')
  })
  it('refuses an unknown field with the name of a prototype’s method', () => {
    const check = () =>
      spec.checkSessionKey({ publicKey: 'p', privateKey: 'k', expirationDate: '2026-01-01', toString: 1 })
    expect(thrown(check)?.message).toBe('Invalid record: SessionKey.toString')
  })
  it('the error of an invalid record never repeats a secret', () => {
    const secret = 'correct horse battery staple'
    const error = thrown(() => spec.checkSessionKey({ publicKey: 'p', privateKey: secret, expirationDate: 'never' }))
    expect(error?.message).toBe('Invalid record: SessionKey.expirationDate')
    expect(JSON.stringify(error)).not.toContain(secret)
  })
  it('checks a recovery passkey attestation', () => {
    const attestation = { attestationObject: 'o2Nm', clientDataJson: 'eyJ0', credentialId: 'A-_9', transports: ['usb'] }
    expect(thrown(() => spec.checkRecoveryPasskeyAttestation(attestation))).toBeUndefined()
    expect(
      thrown(() => spec.checkRecoveryPasskeyAttestation({ ...attestation, credentialId: 'not base64url!' }))?.code,
    ).toBe('record_invalid')
  })
  it('checks wallet client parameters', () => {
    const parameters = {
      environmentId: 'e',
      authToken: 't',
      baseApiUrl: 'http://localhost:4100/api/v0',
      baseMPCRelayApiUrl: 'http://localhost:4300',
      chainName: 'SOL',
      sdkVersion: '1.0.0',
    }
    expect(thrown(() => spec.checkWalletClientParameters(parameters))).toBeUndefined()
    expect(thrown(() => spec.checkWalletClientParameters({ ...parameters, environmentId: '' }))?.message).toBe(
      'Invalid record: WalletClientParameters.environmentId',
    )
  })
  it('recognises an error record by its code and message', () => {
    expect(spec.isErrorRecord({ code: 'a_new_code', message: 'As the server put it', hint: 1 })).toBe(true)
    for (const value of [null, 'error', {}, { code: 1, message: 'm' }, { code: 'c' }])
      expect(spec.isErrorRecord(value)).toBe(false)
  })
})

describe('operation payloads', () => {
  const account = { chainName: 'SOL', signedSessionId: 's', authToken: 't', accountAddress: 'A' }
  const raw = (length: number) => () =>
    spec.checkOperationPayload('signRawMessage', { ...account, message: 'f'.repeat(length) })

  it.each([0, 63, 65, 128])('refuses a raw message of %i characters', length => {
    expect(thrown(raw(length))).toEqual({ code: 'raw_message_length', message: 'Message must be 64 characters long' })
  })
  it('accepts a raw message of 64 characters', () => expect(thrown(raw(64))).toBeUndefined())
  it.each(['signedSessionId', 'authToken', 'accountAddress'])(
    'refuses an operation payload without %s, and names the field',
    field => {
      expect(
        thrown(() => spec.checkOperationPayload('signMessage', { ...account, message: 'hi', [field]: '' })),
      ).toEqual({
        code: 'authority_missing',
        message: `An account address, a signed session id and an auth token are needed: signMessage.${field}`,
      })
    },
  )
  it('accepts an operation payload with and without its optional fields', () => {
    expect(thrown(() => spec.checkOperationPayload('signMessage', { ...account, message: '' }))).toBeUndefined()
    expect(
      thrown(() =>
        spec.checkOperationPayload('signMessage', { ...account, message: 'm', mfaToken: 'x', password: 'p' }),
      ),
    ).toBeUndefined()
  })
  it('refuses an export without a display container, with an error code of its own', () => {
    expect(thrown(() => spec.checkOperationPayload('exportPrivateKey', account))?.code).toBe(
      'display_container_missing',
    )
    const displayContainer = { nodeType: 1 }
    expect(
      thrown(() => spec.checkOperationPayload('exportPrivateKey', { ...account, displayContainer })),
    ).toBeUndefined()
  })
  it('refuses typed data that is not JSON, and unknown fields of an operation payload', () => {
    const typed = (typedData: unknown, more = {}) =>
      thrown(() => spec.checkOperationPayload('signTypedData', { ...account, typedData, ...more }))?.message
    expect(typed('{}')).toBeUndefined()
    expect(typed('{')).toBe('Invalid record: signTypedData.typedData')
    expect(typed('{}', { privateKey: 'k' })).toBe('Invalid record: signTypedData.privateKey')
  })
  it('accepts an offline export without account, session or auth token', () => {
    expect(
      thrown(() => spec.checkOperationPayload('offlineExportPrivateKey', { chainName: 'SOL', base64Args: 'e30=' })),
    ).toBeUndefined()
  })
})

describe('error catalogue', () => {
  const getErrors = (module: object) =>
    Object.values(module).filter(
      (value): value is ErrorSpec =>
        typeof value === 'object' && value !== null && 'code' in value && 'message' in value,
    )
  const all = getErrors(spec)
  it('the error catalogue has one constant per code', () => {
    const constants = new Set(all)
    expect([...constants]).toHaveLength(new Set([...constants].map(({ code }) => code)).size)
  })
  it('the error catalogue holds the 33 server codes and the 19 social codes of the specification', () => {
    expect(Object.keys(spec.SERVER_ERRORS)).toEqual([...spec.SERVER_ERROR_CODES])
    expect(Object.keys(spec.SOCIAL_ERRORS)).toEqual([...spec.SOCIAL_ERROR_CODES])
    expect([spec.SERVER_ERROR_CODES.length, spec.SOCIAL_ERROR_CODES.length]).toEqual([33, 19])
    for (const [code, error] of Object.entries({ ...spec.SERVER_ERRORS, ...spec.SOCIAL_ERRORS }))
      expect(error.code).toBe(code)
  })
  it('the error catalogue has every error message of the specification', () => {
    const messages = new Set(all.map(error => error.message))
    for (const message of [
      'Cannot proceed with your request',
      'The code is invalid or expired.',
      'Failed to create or restore session',
      'Transaction timed out',
      'Transaction failed',
      'Source token account not found',
      'No enabled networks',
      'Account not found',
      'Signer not found',
      'Invalid transaction',
      'Webauthn is not supported on this device',
      'Unsupported chain',
      'Please allow popups and try again.',
      'Connecting {provider} account session timeout.',
      'User cancelled connection',
      'Failed to load Apple SDK',
      'Insufficient funds.',
      'Transaction gas cannot be sponsored.',
      'Failed to load iframe after all retry attempts',
      'Iframe load timeout due to no handshake message',
      'Failed to establish secure token exchange',
      'Iframe message handler not initialized',
      'No handlers were registered for message of type {type}',
      'Missing base URL. Please verify env vars.',
      'Activity requires consensus',
      'Expected COMPLETED status, got {status}',
      'appName not set',
      'Message must be 64 characters long',
      'Destination is required',
      'signMessage - Not implemented by wallet',
      'Failed to connect {provider} social account: Invalid random state',
      'Failed to connect {provider} social account: {error}',
      'Failed to connect {provider} social account: no authorization code',
      'Failed to connect telegram account: Invalid random state',
    ])
      expect(messages, message).toContain(message)
  })
  it('fills each placeholder of an error message once, with the value as given', () => {
    expect(spec.withValues(spec.oauthError, { provider: 'github', error: 'access_{provider}' }).message).toBe(
      'Failed to connect github social account: access_{provider}',
    )
  })
  it('refuses to leave a placeholder of an error message empty', () => {
    expect(() => spec.withValues(spec.sessionTimeout, {})).toThrow(RangeError)
  })
})
