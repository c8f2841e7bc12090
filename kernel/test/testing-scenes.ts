/** The good mocks, staged for the suite. */
import { definePlugin, KeybayError, redirectUnexpected } from '../src/index.js'
import {
  type CreateConnector,
  type Expectations,
  type MockLogin,
  type MockWallet,
  mockLogin,
  mockWallet,
  type Scene,
} from '../src/testing/index.js'

export const walletExpectations: Expectations = {
  id: 'mock',
  kind: 'wallet',
  stages: ['refuses', 'is-away', 'switches-account'],
}
export const loginExpectations: Expectations = { id: 'mock-login', kind: 'login', stages: ['refuses', 'is-away'] }

/** One wallet per scene: it remembers over a reload whom it trusts. */
export function stageWallet(): CreateConnector {
  const wallets = new Map<object, MockWallet>()
  return scene => {
    const mock = wallets.get(scene) ?? mockWallet()
    wallets.set(scene, mock)
    if (scene.user === 'refuses') mock.fault = 'refuses-like-metamask'
    if (scene.user === 'is-away') mock.fault = 'never-answers'
    scene.comesBack = mock.release
    scene.switchesAccount = mock.switchAccount
    return mock.plugin
  }
}

function getLogin(scene: Scene, id: string): MockLogin {
  const mock = mockLogin({ id })
  if (scene.user === 'refuses') mock.fault = 'refuses-like-adapter'
  if (scene.user === 'is-away') mock.fault = 'never-answers'
  scene.comesBack = mock.release
  return mock
}
export const stageLogin: CreateConnector = scene => getLogin(scene, loginExpectations.id).plugin

/** A login that leaves the page and comes back with its answer in the address. */
export const stageRedirect: CreateConnector = scene => {
  const { connector } = getLogin(scene, 'redirecting')
  return definePlugin({
    id: 'redirecting',
    version: '0.1.0',
    setup: () => ({
      connectors: [
        {
          ...connector,
          claims: (url: URL) => url.searchParams.get('answer')?.startsWith('redirecting-') ?? false,
          resume: async (url: URL, { attempt }: { readonly attempt: unknown }) => {
            if (!attempt) throw new KeybayError(redirectUnexpected)
            return { method: connector.method, proof: url.searchParams.get('answer') } as const
          },
        },
      ],
    }),
  })
}

export function redirectExpectations(): Expectations {
  return {
    id: 'redirecting',
    kind: 'login',
    stages: ['refuses', 'is-away'],
    returnUrl: new URL('/?answer=redirecting-1', location.href).href,
  }
}
