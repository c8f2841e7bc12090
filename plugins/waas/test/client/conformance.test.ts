// @vitest-environment happy-dom
import { KeybayError, userRejected } from '@keybay/kernel'
import { connectorConformance } from '@keybay/kernel/testing'
import { afterEach } from 'vitest'
import { waas } from '../../src/index.js'
import { type Frames, installFrames, preparePage } from './frames.js'
import { standInAccount } from './stand-in-account.js'
import { createSigningWallet } from './stand-in-key.js'

preparePage()
let frames: Frames | undefined
afterEach(() => {
  frames?.restore()
  frames = undefined
})
const { wallet, sign } = await createSigningWallet()

connectorConformance(
  scene => {
    frames?.restore()
    frames = installFrames(() => ({
      getWallets() {
        if (scene.user === 'refuses') throw new KeybayError(userRejected)
        return [wallet]
      },
      signMessage: async ({ message }) => ({
        signature: await sign(typeof message === 'string' ? new TextEncoder().encode(message) : message),
      }),
    }))
    return waas({ baseApiUrl: 'http://localhost:4100/api/v0' })
  },
  {
    id: 'waas',
    kind: 'wallet',
    // Connecting shows nothing to the user, so no user can be away. client.test.ts has a frame that does not respond.
    stages: ['refuses'],
    plugins: () => [standInAccount()],
    secrets: ['token-of-mara', 'signed getWallets'],
  },
)
