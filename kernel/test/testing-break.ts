/** How a mock becomes a connector with one fault. */
import type { WalletAccount } from '@wallet-standard/base'
import {
  definePlugin,
  type Kernel,
  type LoginConnector,
  type WalletConnector,
  type WalletFeatures,
} from '../src/index.js'
import { type CreateConnector, type MockLogin, type MockWallet, mockLogin, mockWallet } from '../src/testing/index.js'

export interface Broken {
  readonly what: string
  readonly check: string
  /** What the check must say, so that it fails for the right reason. */
  readonly says: string
  readonly create: CreateConnector
}
type Rework<M, C> = (mock: M, kernel: Kernel) => Partial<C>

export function brokenWallet(
  what: string,
  check: string,
  says: string,
  rework: Rework<MockWallet, WalletConnector>,
): Broken {
  const wallets = new Map<object, MockWallet>()
  return {
    what,
    check,
    says,
    create: scene => {
      const mock = wallets.get(scene) ?? mockWallet()
      wallets.set(scene, mock)
      if (scene.user === 'refuses') mock.fault = 'refuses-like-phantom'
      if (scene.user === 'is-away') mock.fault = 'never-answers'
      scene.comesBack = mock.release
      scene.switchesAccount = mock.switchAccount
      return definePlugin({
        id: 'broken',
        version: '0.1.0',
        setup: (kernel: Kernel<never>) => ({ connectors: [{ ...mock.connector, ...rework(mock, kernel) }] }),
      })
    },
  }
}

export function brokenLogin(
  what: string,
  check: string,
  says: string,
  rework: Rework<MockLogin, LoginConnector>,
): Broken {
  return {
    what,
    check,
    says,
    create: scene => {
      const mock = mockLogin()
      if (scene.user === 'refuses') mock.fault = 'refuses-like-phantom'
      if (scene.user === 'is-away') mock.fault = 'never-answers'
      scene.comesBack = mock.release
      return definePlugin({
        id: 'broken',
        version: '0.1.0',
        setup: (kernel: Kernel<never>) => ({ connectors: [{ ...mock.connector, ...rework(mock, kernel) }] }),
      })
    },
  }
}
/** The same wallet with one feature done differently. */
export function withFeature<const F extends keyof WalletFeatures>(
  { wallet }: MockWallet,
  feature: F,
  make: (old: WalletFeatures[F] | undefined) => Partial<WalletFeatures[F]>,
): Pick<WalletConnector, 'wallet'> {
  const known: { readonly [K in keyof WalletFeatures]?: WalletFeatures[K] | undefined } = wallet.features
  const old = known[feature]
  const features = { ...wallet.features, [feature]: { ...old, ...make(old) } }
  return { wallet: Object.create(wallet, { features: { value: features } }) }
}

export function connectWith(
  mock: MockWallet,
  change: (accounts: readonly WalletAccount[]) => readonly WalletAccount[],
) {
  return withFeature(mock, 'standard:connect', old => ({
    connect: async input => ({ accounts: change((await old?.connect(input))?.accounts ?? []) }),
  }))
}

export function refusingWith(mock: MockWallet, error: Error) {
  return withFeature(mock, 'standard:connect', old => ({
    connect: async input => {
      const answer = await old?.connect(input).catch(() => undefined)
      if (!answer) throw error
      return answer
    },
  }))
}
