import { describe, it } from 'vitest'
import { canStage } from './check.js'
import { accountChecks } from './checks-accounts.js'
import { connectChecks } from './checks-connect.js'
import { connectedChecks } from './checks-connected.js'
import { disposeChecks } from './checks-dispose.js'
import { identityChecks } from './checks-identity.js'
import { pageChecks } from './checks-page.js'
import { resumeChecks } from './checks-resume.js'
import { signChecks } from './checks-sign.js'
import type { ConnectorCheck, CreateConnector, Expectations } from './expectations.js'
import { MissingConnector } from './stage.js'

/** All checks as data, for runners other than vitest and for testing the checks themselves. */
export const connectorChecks: readonly ConnectorCheck[] = [
  ...identityChecks,
  ...connectChecks,
  ...connectedChecks,
  ...accountChecks,
  ...signChecks,
  ...resumeChecks,
  ...pageChecks,
  ...disposeChecks,
]

/**
 * Declares the suite that every Keybay connector passes. Needs a DOM, e.g. happy-dom.
 *
 * @example
 * // @vitest-environment happy-dom
 * connectorConformance(() => acmeWallet({ project: 'test' }), { id: 'acme', kind: 'wallet' })
 *
 * @example
 * // Staging the other side enables more checks.
 * connectorConformance(
 *   scene => {
 *     const server = fakeAcmeServer({ refuse: scene.user === 'refuses' })
 *     return acmeLogin({ fetch: server.fetch })
 *   },
 *   { id: 'acme', kind: 'login', input: { email: 'a@example.com' }, stages: ['refuses'] },
 * )
 */
export function connectorConformance(createConnector: CreateConnector, expectations: Expectations): void {
  describe(`connector ${expectations.id}`, () => {
    for (const { name, skips, run } of createRun(createConnector, expectations))
      it.skipIf(skips)(name, async context => context.skip(!(await run())))
  })
}

interface RunStep {
  readonly name: string
  readonly skips: boolean
  /** Resolves to false, without a check, once the suite knows that the connector is missing. */
  run(): Promise<boolean>
}

/** Returns the suite's tests, for runners other than vitest. One test fails if the connector is missing, and no other runs. */
export function createRun(createConnector: CreateConnector, expectations: Expectations): readonly RunStep[] {
  let isMissing = false
  const applicable = connectorChecks.filter(connectorCheck => connectorCheck.applies(expectations))
  return applicable.map(connectorCheck => {
    const reason = connectorCheck.needs && expectations.notApplicable?.[connectorCheck.needs]
    return {
      name: reason ? `not applicable (${reason}): ${connectorCheck.name}` : connectorCheck.name,
      skips: Boolean(reason) || !canStage(connectorCheck, expectations),
      async run() {
        if (isMissing) return false
        try {
          await connectorCheck.run(createConnector, expectations)
        } catch (error) {
          isMissing = error instanceof MissingConnector
          throw error
        }
        return true
      },
    }
  })
}
