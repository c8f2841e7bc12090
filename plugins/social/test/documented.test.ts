/**
 * Reads what each provider's documentation says of the return: the return page's reader and the check of the waiting page. The API's half
 * has the rest of the documented responses: `sandbox/api/test/social-documented.test.ts`.
 */
import { isKeybayError } from '@keybay/kernel/spec'
import { DOCUMENTED } from '@keybay/sandbox-identity/testing/documented'
import { expect, it } from 'vitest'
import { type Answer, isAnswer, readAnswer } from '../src/answer.js'
import { checkAnswer } from '../src/check-answer.js'
import { createFail } from '../src/fail.js'
import { type Answers, PROVIDERS, profileOf } from '../src/server/index.js'

const STATE = 's'.repeat(43)
const WITHOUT_CODE = ['farcaster', 'steam', 'telegram']

function check(id: string, answer: Answer): void {
  const provider = { id, name: id, colour: '#000', icon: '', withoutCode: WITHOUT_CODE.includes(id) }
  checkAnswer(provider, answer, STATE, createFail(id))
}

/** @param fragment where Telegram and the API, for Apple, put the parameters */
function createReturn(id: string, params: Readonly<Record<string, string>>, fragment: string): Answer {
  const isFragment = id === 'telegram' || id === 'apple'
  const query = new URLSearchParams({ state: STATE, ...(!isFragment && params) })
  const hash = isFragment ? `#${new URLSearchParams(params)}` : fragment
  const answer = readAnswer(new URL(`https://app.example/auth/social/${id}?${query}${hash}`), id)
  expect(isAnswer(answer)).toBe(true)
  return answer
}

it.each(DOCUMENTED)('$id: passes on the documented parameters of a return', ({ id, returned, fragment = '' }) => {
  const params: Record<string, string> = { ...(!WITHOUT_CODE.includes(id) && { code: 'c' }), ...returned }
  const answer = createReturn(id, params, fragment)
  check(id, answer)
  expect(answer.params).toMatchObject(params)
})

const declining = DOCUMENTED.flatMap(({ id, declined }) => (declined ? [{ id, declined }] : []))
it.each(declining)(
  '$id: takes its documented refusal for a refusal by the user, not for a failure',
  ({ id, declined }) => {
    let thrown: unknown
    try {
      check(id, createReturn(id, declined, ''))
    } catch (error) {
      thrown = error
    }
    expect(isKeybayError(thrown) && { code: thrown.code, walletCode: thrown.walletCode }).toEqual({
      code: 'oauth_error',
      walletCode: 2,
    })
  },
)

function readProfile(id: string, answers: Answers) {
  const provider = PROVIDERS.find(other => other.id === id)
  return provider && profileOf(provider.profile, answers)
}
it('reads an account from a response with and without an envelope', () => {
  expect(readProfile('instagram', { user: { user_id: '17841405822304914' } })).toMatchObject({
    id: '17841405822304914',
  })
  const result = { iiban: 'AA97 N24G G4PD PAG6', email: 'ann@example.com' }
  expect(readProfile('kraken', { user: { result, errors: [] } })).toMatchObject({
    id: result.iiban,
    email: result.email,
  })
})
it('refuses an account ID that JSON rounded, because it may be another account’s', () => {
  const ids = ['17841405822304915', '17841405822304916'].map(id => JSON.parse(`{ "user_id": ${id} }`).user_id)
  expect(ids[0]).toBe(ids[1])
  expect(readProfile('instagram', { user: { user_id: ids[0] } })).toBeUndefined()
  expect(readProfile('github', { user: { id: Number.MAX_SAFE_INTEGER } })).toMatchObject({ id: '9007199254740991' })
})
