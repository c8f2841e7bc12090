/** The good mocks, staged for the suite. */
import {
  type CreateConnector,
  type Expectations,
  type MockWallet,
  mockLogin,
  mockWallet,
} from '../src/testing/index.js'

export const walletExpectations: Expectations = {
  id: 'mock',
  kind: 'wallet',
  stages: ['refuses', 'is-away', 'switches-account'],
}
export const loginExpectations: Expectations = {
  id: 'mock-login',
  kind: 'login',
  stages: ['refuses', 'is-away'],
}

/** One wallet per scene: it remembers over a reload whom it trusts. */
export const stageWallet = (): CreateConnector => {
  const wallets = new Map<object, MockWallet>()
  return scene => {
    const mock = wallets.get(scene) ?? mockWallet()
    wallets.set(scene, mock)
    if (scene.person === 'refuses') mock.fault = 'refuses-like-metamask'
    if (scene.person === 'is-away') mock.fault = 'never-answers'
    scene.comesBack = mock.release
    scene.switchesAccount = mock.switchAccount
    return mock.plugin
  }
}
export const stageLogin: CreateConnector = scene => {
  const mock = mockLogin()
  if (scene.person === 'refuses') mock.fault = 'refuses-like-adapter'
  if (scene.person === 'is-away') mock.fault = 'never-answers'
  scene.comesBack = mock.release
  return mock.plugin
}
