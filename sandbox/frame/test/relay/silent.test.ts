/** Tests a wallet creation whose service takes a request and stays silent: it ends with an error, and the next try works. */
import { expect, it } from 'vitest'
import type { Device, Intercept } from './device.js'
import { backup, openBrowser, setUpRelays, useWallet } from './wallet.js'

setUpRelays()

/** Never answers a step, as a service that hangs: only the caller ends the request. */
function silentAt(step: string, seen: string[]): Intercept {
  return (path, _send, signal) => {
    if (!path.endsWith(step)) return undefined
    seen.push(path)
    return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
  }
}

function create(device: Device, idempotencyKey: string, provider: 'external' | 'dynamic') {
  const target = provider === 'external' ? backup : ({ provider, password: 'correct horse' } as const)
  const request = { thresholdSignatureScheme: 'TWO_OF_THREE', backup: target, idempotencyKey } as const
  return device.send('createWalletAccount', request)
}

// At the same time, because each waits for a timeout of the frame.
it.concurrent.each([
  ['R1', '/party', 'external', 'frame_relay_unreachable'],
  ['R1', '/create/begin', 'external', 'frame_relay_unreachable'],
  ['R1', '/create/open', 'external', 'frame_relay_unreachable'],
  ['R1', '/create/finish', 'external', 'frame_relay_unreachable'],
  ['the product API', '/frame-keys', 'dynamic', 'frame_backup_unreachable'],
] as const)(
  '[S13.2] wallet creation ends with an error when %s is silent at %s, and the next try creates the wallet',
  async (_service, step, provider, code) => {
    const { device } = await openBrowser()
    const seen: string[] = []
    device.intercept = silentAt(step, seen)
    await expect(create(device, 'first', provider)).rejects.toMatchObject({ code })
    expect(seen).toHaveLength(1)
    device.intercept = undefined
    const { wallet } = await create(device, 'first', 'external')
    await device.send('getWallets', {})
    await useWallet(device, wallet.accountAddress).signs()
  },
)
