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
  stages: ['refuses', 'is-away', 'switches-account', 'refuses-signing'],
}
export const loginExpectations: Expectations = { id: 'mock-login', kind: 'login', stages: ['refuses', 'is-away'] }

function stage<M extends MockWallet | MockLogin>(scene: Scene, mock: M): M {
  if (scene.user === 'refuses') mock.fault = 'refuses-like-metamask'
  if (scene.user === 'is-away') mock.fault = 'never-answers'
  scene.comesBack = mock.release
  if ('switchAccount' in mock) {
    scene.switchesAccount = mock.switchAccount
    scene.refusesSigning = async () => {
      mock.fault = 'refuses-like-phantom'
    }
  }
  return mock
}

/** Returns one wallet per scene: it remembers its user's approval over a reload. */
export function walletPerScene(): (scene: Scene) => MockWallet {
  const wallets = new Map<object, MockWallet>()
  return scene => {
    const mock = wallets.get(scene) ?? mockWallet()
    wallets.set(scene, mock)
    return stage(scene, mock)
  }
}
export function stageWallet(): CreateConnector {
  const getWallet = walletPerScene()
  return scene => getWallet(scene).plugin
}

export function getLogin(scene: Scene, id: string = loginExpectations.id): MockLogin {
  return stage(scene, mockLogin({ id }))
}
export const stageLogin: CreateConnector = scene => getLogin(scene).plugin

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
            return { method: 'email', proof: { answer: url.searchParams.get('answer') } } as const
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
