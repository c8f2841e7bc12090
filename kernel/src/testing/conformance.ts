import { describe, it } from 'vitest'
import { canStage } from './check.js'
import { connectChecks } from './checks-connect.js'
import { connectedChecks } from './checks-connected.js'
import { disposeChecks } from './checks-dispose.js'
import { identityChecks } from './checks-identity.js'
import { resumeChecks } from './checks-resume.js'
import { signChecks } from './checks-sign.js'
import type { ConnectorCheck, CreateConnector, Expectations } from './expectations.js'

/** All checks as data, for runners other than vitest and for testing the checks themselves. */
export const connectorChecks: readonly ConnectorCheck[] = [
  ...identityChecks,
  ...connectChecks,
  ...connectedChecks,
  ...signChecks,
  ...resumeChecks,
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
    for (const check of connectorChecks.filter(connectorCheck => connectorCheck.applies(expectations))) {
      const reason = check.needs && expectations.notApplicable?.[check.needs]
      const name = reason ? `not applicable (${reason}): ${check.name}` : check.name
      it.skipIf(reason || !canStage(check, expectations))(name, () => check.run(createConnector, expectations))
    }
  })
}
