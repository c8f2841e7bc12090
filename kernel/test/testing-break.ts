/** How a mock becomes a connector with one fault. */
import type { WalletAccount } from '@wallet-standard/base'
import {
  definePlugin,
  type Kernel,
  type LoginConnector,
  type WalletConnector,
  type WalletFeatures,
} from '../src/index.js'
import type { CreateConnector, MockLogin, MockWallet } from '../src/testing/index.js'
import { getLogin, walletPerScene } from './testing-scenes.js'

export interface Broken {
  readonly what: string
  readonly check: string
  /** Message of the check, which shows that it fails for the right reason. */
  readonly says: string
  readonly create: CreateConnector
}
type Rework<M, C> = (mock: M, kernel: Kernel) => Partial<C>

function createBroken(getConnector: (kernel: Kernel) => WalletConnector | LoginConnector) {
  return definePlugin({
    id: 'broken',
    version: '0.1.0',
    setup: (kernel: Kernel<never>) => ({ connectors: [getConnector(kernel)] }),
  })
}

export function brokenWallet(what: string, check: string, says: string, rework: Rework<MockWallet, WalletConnector>) {
  const getWallet = walletPerScene()
  const create: CreateConnector = scene => {
    const mock = getWallet(scene)
    return createBroken(kernel => ({ ...mock.connector, ...rework(mock, kernel) }))
  }
  return { what, check, says, create }
}

export function brokenLogin(what: string, check: string, says: string, rework: Rework<MockLogin, LoginConnector>) {
  const create: CreateConnector = scene => {
    const mock = getLogin(scene)
    return createBroken(kernel => ({ ...mock.connector, ...rework(mock, kernel) }))
  }
  return { what, check, says, create }
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
