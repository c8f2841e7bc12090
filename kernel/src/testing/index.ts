/**
 * Tools for plugin authors: wallets and logins that misbehave on demand, a clock that a test advances, and the
 * suite that every Keybay connector passes.
 *
 * @example
 * // @vitest-environment happy-dom
 * import { createKeybay } from '@keybay/kernel'
 * import { connectorConformance, fakeClock, mockWallet } from '@keybay/kernel/testing'
 * import { expect, it } from 'vitest'
 * import { acmeWallet } from '../src/index.js'
 *
 * connectorConformance(() => acmeWallet(), { id: 'acme', kind: 'wallet' })
 *
 * it('gives up on a wallet that never answers', async () => {
 *   const clock = fakeClock()
 *   const { plugin } = mockWallet({ fault: 'never-answers' })
 *   const attempt = createKeybay({ appName: 'Test', clock, plugins: [plugin] }).connect('mock')
 *   const rejected = expect(attempt).rejects.toMatchObject({ code: 'connect_timeout' })
 *   await clock.advance(120_000)
 *   await rejected
 * })
 */
export { connectorChecks, connectorConformance } from './conformance.js'
export type { ConnectorCheck, CreateConnector, Expectations, Scene, Staging, UserBehaviour } from './expectations.js'
export { type FakeClock, fakeClock, settle } from './fake-clock.js'
export { type LoginFault, type MockLogin, type MockLoginOptions, mockLogin } from './mock-login.js'
export { type MockWallet, type MockWalletOptions, mockWallet, type WalletFault } from './mock-wallet.js'
