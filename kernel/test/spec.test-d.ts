import { assertType, expectTypeOf, test } from 'vitest'
import type { ConnectionType, LoginMethod } from '../src/connector.js'
import type { AuthenticationMethod, SocialProvider, WalletConnectionType, WalletErrorCode } from '../src/spec/index.js'
import {
  invalidEmail,
  isChain,
  isKeybayError,
  isServerError,
  type KeybayError,
  type ServerErrorCode,
} from '../src/spec/index.js'

test('the kernel and the specification have the same login methods and connection types', () => {
  expectTypeOf<LoginMethod>().toEqualTypeOf<AuthenticationMethod>()
  expectTypeOf<ConnectionType>().toEqualTypeOf<WalletConnectionType>()
})

test('the types of specification values are literals, not strings', () => {
  expectTypeOf<'kraken'>().toExtend<SocialProvider>()
  expectTypeOf<string>().not.toExtend<SocialProvider>()
  expectTypeOf<WalletErrorCode>().toEqualTypeOf<0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11>()
  expectTypeOf(invalidEmail.code).toEqualTypeOf<'invalid_email'>()
  // @ts-expect-error no such provider
  assertType<SocialProvider>('myspace')
})

test('a check narrows the type of the value that it accepts', () => {
  const value: unknown = {}
  if (isChain(value)) expectTypeOf(value).toExtend<string>()
})

test('the code of a server error narrows it, and only the codes of the specification can be compared', () => {
  const error: unknown = {}
  if (isServerError(error)) {
    expectTypeOf(error.code).toEqualTypeOf<ServerErrorCode>()
    if (error.code === 'merge_accounts_confirmation')
      expectTypeOf(error).toEqualTypeOf<KeybayError<'merge_accounts_confirmation'>>()
    // @ts-expect-error no such code
    assertType(error.code === 'moon_phase')
  }
  if (isKeybayError(error, invalidEmail)) expectTypeOf(error.code).toEqualTypeOf<'invalid_email'>()
  if (isKeybayError(error)) expectTypeOf(error.code).toEqualTypeOf<string>()
})
