// @vitest-environment happy-dom
import { KeybayError, userRejected } from '@keybay/kernel'
import { fromBase64, toBase64 } from '@keybay/kernel/spec'
import { connectorConformance } from '@keybay/kernel/testing'
import bs58 from 'bs58'
import { afterEach } from 'vitest'
import { waas } from '../../src/index.js'
import { type Frames, installFrames, preparePage } from './frames.js'
import { standInAccount } from './stand-in-account.js'
import { standInWallet } from './stand-in-wallet.js'

preparePage()
let frames: Frames | undefined
afterEach(() => {
  frames?.restore()
  frames = undefined
})
/** A wallet with one key: the stand-in frame signs for real, though not by a threshold. */
async function createSigningWallet() {
  const pair = await crypto.subtle.generateKey({ name: 'Ed25519' }, true, ['sign', 'verify'])
  if (!('privateKey' in pair)) throw new Error('an Ed25519 key is a pair')
  const publicKey = new Uint8Array(await crypto.subtle.exportKey('raw', pair.publicKey))
  return {
    wallet: { ...standInWallet, publicKey, accountAddress: bs58.encode(publicKey) },
    sign: async (message: Uint8Array) =>
      new Uint8Array(await crypto.subtle.sign('Ed25519', pair.privateKey, Uint8Array.from(message))),
  }
}
const { wallet, sign } = await createSigningWallet()

connectorConformance(
  scene => {
    frames?.restore()
    let refuses = scene.user === 'refuses'
    scene.refusesSigning = async () => {
      refuses = true
    }
    const ask = () => {
      if (refuses) throw new KeybayError(userRejected)
    }
    frames = installFrames(() => ({
      getWallets() {
        ask()
        return [wallet]
      },
      async signMessage({ message }) {
        ask()
        return { signature: await sign(typeof message === 'string' ? new TextEncoder().encode(message) : message) }
      },
      async signTransaction({ transaction }) {
        ask()
        const signed = fromBase64(transaction)
        signed.set(await sign(signed.subarray(65)), 1) // the suite's transactions have one signer
        return { signedTransaction: toBase64(signed) }
      },
    }))
    return waas({ baseApiUrl: 'http://localhost:4100/api/v0' })
  },
  {
    id: 'waas',
    kind: 'wallet',
    stages: ['refuses', 'refuses-signing'],
    // client.test.ts has a frame that does not respond.
    notApplicable: { 'is-away': 'connecting shows no prompt', 'switches-account': 'the frame has no selected account' },
    plugins: () => [standInAccount()],
    secrets: ['token-of-mara', 'signed getWallets'],
  },
)
