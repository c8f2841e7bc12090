/** Tests what the page learns of the frame's requests to the relay. */
import { expect, it } from 'vitest'
import { refusing } from './liar.js'
import { openWallet, setUpRelays } from './wallet.js'

setUpRelays()

it('reports each request to the relay to the page, with path, time and status, and nothing of its content', async () => {
  const { device, signs } = await openWallet()
  device.progress.length = 0
  await signs()
  const { walletId } = (await device.kept())[0] ?? {}
  const rounds = device.progress.filter(({ step }) => step === 'relay')
  expect(rounds.at(-1)).toEqual({
    step: 'relay',
    number: rounds.length,
    of: rounds.length,
    relay: { path: `/wallets/${walletId}/sign`, ms: expect.any(Number), status: 200 },
  })
  expect(rounds.map(({ number }) => number)).toEqual(rounds.map((_, index) => index + 1))
})

it('reports a request that the relay refused by its status, and one without a response without a status', async () => {
  const { device, signs } = await openWallet()
  device.progress.length = 0
  await expect(signs(refusing('/sign', 'internal_error', 'before'))).rejects.toMatchObject({ code: 'internal_error' })
  expect(device.progress.at(-1)?.relay?.status).toBeGreaterThanOrEqual(400)
  const offline = (path: string) => (path.endsWith('/sign') ? Promise.reject(new TypeError('offline')) : undefined)
  await expect(signs(offline)).rejects.toMatchObject({ code: 'frame_relay_unreachable' })
  expect(device.progress.at(-1)?.relay).toEqual({ path: expect.stringMatching(/sign$/), ms: expect.any(Number) })
})
