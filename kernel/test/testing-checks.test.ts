// @vitest-environment happy-dom
/** The suite itself: it must fail for a broken connector, by the check that names the fault. */
import { afterEach, describe, expect, it } from 'vitest'
import { createRun } from '../src/testing/conformance.js'
import { type CreateConnector, connectorChecks, type Expectations } from '../src/testing/index.js'
import type { Broken } from './testing-break.js'
import { brokenLogins } from './testing-broken-logins.js'
import { brokenWallets } from './testing-broken-wallets.js'
import { cleanPage, mutantLogins } from './testing-mutant-logins.js'
import { mutantSigners } from './testing-mutant-signers.js'
import { cleanSetups, mutantWallets } from './testing-mutant-wallets.js'
import { loginExpectations, stageLogin, stageWallet, walletExpectations } from './testing-scenes.js'

async function runCheck(checkName: string, create: CreateConnector, expectations: Expectations) {
  const check = connectorChecks.find(({ name }) => name === checkName)
  if (!check) throw new Error(`No check ${checkName}`)
  await check.run(create, expectations)
}
const wallets = [...brokenWallets, ...mutantWallets, ...mutantSigners]
const logins = [...brokenLogins, ...mutantLogins]
/** Each check of a mutant, once. */
const walletChecks = [...new Set(wallets.map(({ check }) => check))]
const loginChecks = [...new Set(logins.map(({ check }) => check))]

const returnUrl = new URL('/?answer=mock', location.href).href

function finds(expectations: Expectations) {
  return async ({ create, check, says }: Broken) => {
    // Shorter than the default, because some faults are that nothing comes.
    const impatient = { ...expectations, secrets: ['hunter2'], patience: 1000, returnUrl }
    await expect(runCheck(check, create, impatient)).rejects.toThrow(says)
  }
}

afterEach(() => {
  cleanPage()
  cleanSetups()
})

describe('connectorChecks', () => {
  it('every connector check has a unique name', () => {
    const names = connectorChecks.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
  })
  it.each(wallets)('$check fails for a broken wallet: $what', finds(walletExpectations))
  it.each(logins)('$check fails for a broken login: $what', finds(loginExpectations))
  it('at least 100 broken connectors are tried, each with a fault of its own', () => {
    const faults = [...wallets, ...logins].map(({ what, check }) => `${check}: ${what}`)
    expect(new Set(faults).size).toBe(faults.length)
    expect(faults.length).toBeGreaterThanOrEqual(100)
  })
  it.each(walletChecks)('%s passes for a correct wallet', check =>
    runCheck(check, stageWallet(), { ...walletExpectations, secrets: ['hunter2'] }),
  )
  it.each(loginChecks)('%s passes for a correct login', check =>
    runCheck(check, stageLogin, { ...loginExpectations, secrets: ['hunter2'] }),
  )
  it('a suite with a wrong id fails once, and runs nothing more', async () => {
    const steps = createRun(stageWallet(), { ...walletExpectations, id: 'mok', patience: 200 })
    const results = []
    for (const { run } of steps) results.push(await run().catch(String))
    expect(results[0]).toContain('there must be a connector “mok”; there are: mock. Give the suite the id')
    expect(results.slice(1).filter(Boolean)).toEqual([])
    expect(results.length).toBeGreaterThan(20)
  })
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
