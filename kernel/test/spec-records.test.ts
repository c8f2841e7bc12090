import { describe, expect, it } from 'vitest'
import type { ErrorSpec } from '../src/spec/errors.js'
import * as spec from '../src/spec/index.js'

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
