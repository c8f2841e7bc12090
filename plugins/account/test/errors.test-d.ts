import { isKeybayError } from '@keybay/kernel'
import { isServerError, type ServerErrorCode } from '@keybay/kernel/spec'
import { expectTypeOf, test } from 'vitest'
import { reauthenticationRequired } from '../src/index.js'

test('a stale sign-in narrows an error to its code, which is not one of the specification’s', () => {
  const error: unknown = {}
  if (isKeybayError(error, reauthenticationRequired))
    expectTypeOf(error.code).toEqualTypeOf<'reauthentication_required'>()
  if (isServerError(error)) expectTypeOf(error.code).toEqualTypeOf<ServerErrorCode>()
})
