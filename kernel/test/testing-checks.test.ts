// @vitest-environment happy-dom
/** The suite itself: it must fail for a broken connector, by the check that names the fault. */
import { describe, expect, it } from 'vitest'
import { type CreateConnector, connectorChecks, type Expectations } from '../src/testing/index.js'
import type { Broken } from './testing-break.js'
import { brokenLogins } from './testing-broken-logins.js'
import { brokenWallets } from './testing-broken-wallets.js'
import { loginExpectations, stageLogin, stageWallet, walletExpectations } from './testing-scenes.js'

async function runCheck(checkName: string, create: CreateConnector, expectations: Expectations) {
  const check = connectorChecks.find(({ name }) => name === checkName)
  if (!check) throw new Error(`No check ${checkName}`)
  await check.run(create, expectations)
}
const returnUrl = new URL('/?answer=mock', location.href).href

function finds(expectations: Expectations) {
  return async ({ create, check, says }: Broken) => {
    // Short, because some faults are that nothing comes.
    const impatient = { ...expectations, secrets: ['hunter2'], patience: 200, returnUrl }
    await expect(runCheck(check, create, impatient)).rejects.toThrow(says)
  }
}

describe('connectorChecks', () => {
  it('every connector check has a unique name', () => {
    const names = connectorChecks.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
  })
  it.each(brokenWallets)('$check fails for a broken wallet: $what', finds(walletExpectations))
  it.each(brokenLogins)('$check fails for a broken login: $what', finds(loginExpectations))
  it.each(brokenWallets)('$check passes for a correct wallet', ({ check }) =>
    runCheck(check, stageWallet(), walletExpectations),
  )
  it.each(brokenLogins)('$check passes for a correct login', ({ check }) =>
    runCheck(check, stageLogin, loginExpectations),
  )
  it('a connector check reports a missing connector, and lists those that exist', async () => {
    const elsewhere = { ...loginExpectations, id: 'other-login', patience: 200 }
    await expect(runCheck('name: readable text', stageLogin, elsewhere)).rejects.toThrow(
      'there must be a connector “other-login”; there are: mock-login',
    )
  })
  it('a connector check skips a case that the expectations cannot stage', async () => {
    const bare: Expectations = { id: 'mock-login', kind: 'login' }
    const refusing = brokenLogins[0]?.create ?? stageLogin
    await expect(runCheck('refusal: is user_rejected', refusing, bare)).resolves.toBeUndefined()
  })
})
