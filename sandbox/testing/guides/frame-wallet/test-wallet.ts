/** The wallet's side of the channel, with real keys, and a user who follows the scene of the conformance suite. */
import { field } from '@keybay/kernel/spec'
import { type MockWallet, mockWallet, type Scene, type WalletFault } from '@keybay/kernel/testing'
import type { OpenWallet } from './frame.js'

const FAULTS: Readonly<Record<Scene['user'], WalletFault | undefined>> = {
  approves: undefined,
  refuses: 'refuses-like-phantom',
  'is-away': 'never-answers',
}
/** Memory of the wallet, which survives a reload of the page. */
const wallets = new WeakMap<Scene, MockWallet>()

async function answer({ wallet }: MockWallet, method: unknown, params: unknown): Promise<object> {
  const { features } = wallet
  const account = wallet.accounts.find(({ address }) => address === field(params, 'address'))
  if (method === 'connect') {
    const response = await features['standard:connect']?.connect({ silent: field(params, 'silent') === true })
    return { accounts: plain(response?.accounts) }
  }
  if (method === 'disconnect') await features['standard:disconnect']?.disconnect()
  const bytes = field(params, method === 'signMessage' ? 'message' : 'transaction')
  if (!account || !(bytes instanceof Uint8Array)) return {}
  if (method === 'signMessage')
    return { ...(await features['solana:signMessage']?.signMessage({ account, message: bytes }))?.[0] }
  return { ...(await features['solana:signTransaction']?.signTransaction({ account, transaction: bytes }))?.[0] }
}

function plain(accounts: MockWallet['wallet']['accounts'] = []) {
  return accounts.map(({ address, publicKey }) => ({ address, publicKey: Uint8Array.from(publicKey) }))
}

export function openTestWallet(scene: Scene): OpenWallet {
  const mock = wallets.get(scene) ?? mockWallet()
  wallets.set(scene, mock)
  mock.fault = FAULTS[scene.user]
  scene.comesBack = mock.release
  scene.switchesAccount = mock.switchAccount
  scene.refusesSigning = async () => {
    mock.fault = FAULTS.refuses
  }
  return onPort => {
    const { port1, port2 } = new MessageChannel()
    const stop = mock.wallet.features['standard:events']?.on('change', ({ accounts }) =>
      port2.postMessage({ event: 'accounts', data: { accounts: plain(accounts) } }),
    )
    port2.onmessage = async ({ data }: MessageEvent<unknown>) => {
      const id = field(data, 'id')
      try {
        port2.postMessage({ id, result: await answer(mock, field(data, 'method'), field(data, 'params')) })
      } catch (error) {
        port2.postMessage({ id, error: { code: field(error, 'code'), message: String(field(error, 'message')) } })
      }
    }
    onPort(port1)
    return () => {
      stop?.()
      port2.close()
    }
  }
}
