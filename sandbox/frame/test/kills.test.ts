/**
 * Each party killed at each step of new shares, as the browser has it: the host's page is reloaded, the frame is taken away,
 * a relay's process ends; before a request arrives, and after it was answered but before the answer is heard. Afterwards
 * exactly one epoch signs, the error says what it was, and the next try works.
 */
import type { Page, Route } from 'playwright-core'
import { expect, it } from 'vitest'
import { create, isSignature, reload, sign } from './person.js'
import { setUpWorld } from './world.js'

const world = setUpWorld()

type Victim = 'page' | 'frame' | 'R1'
type Operation = 'refresh' | 'reshare'
const victims: readonly Victim[] = ['page', 'frame', 'R1']
const moments = [
  ['begin', 'before'],
  ['begin', 'after'],
  ['commit', 'before'],
  ['commit', 'after'],
] as const

const start = (page: Page, operation: Operation, address: string) =>
  page.evaluate(
    ([operation, address]) => {
      const { outcome, keybay } = window.host
      const { waas } = keybay
      return outcome(operation === 'refresh' ? waas.refresh(address) : waas.reshare(address, { to: 'TWO_OF_TWO' }))
    },
    [operation, address] as const,
  )
const walletOf = async (page: Page) => (await page.evaluate(() => window.host.keybay.waas.wallets()))[0]

/** Epochs of the device signatures that R1 answered with a share. */
const signedEpochs = (page: Page): number[] => {
  const epochs: number[] = []
  page.on('response', response => {
    if (!response.url().endsWith('/sign') || response.status() !== 200) return
    const claims = response.request().headers()['x-keybay-device']?.split('.')[1] ?? ''
    epochs.push(JSON.parse(Buffer.from(claims, 'base64url').toString()).epoch)
  })
  return epochs
}

const kill = async (page: Page, victim: Victim): Promise<void> => {
  if (victim === 'R1') await world.stopRelay()
  else if (victim === 'frame')
    await page.locator('iframe[title="wallet"]').evaluate(element => element.parentNode?.removeChild(element))
  else await reload(page)
}

it.each<Operation>(['refresh', 'reshare'])(
  '%s: whoever is killed whenever, one epoch signs, and the next try works',
  async operation => {
    const page = await world.visit()
    await world.signIn(page)
    const { address } = await create(page, 'TWO_OF_TWO')
    const epochs = signedEpochs(page)
    let epoch = 0
    for (const [step, moment] of moments)
      for (const victim of victims) {
        const about = `${victim} killed ${moment} the answer to ${step}`
        const pattern = `**/reshare/${step}`
        let done = () => {}
        const killed = new Promise<void>(resolve => {
          done = resolve
        })
        let isOver = false
        // It stays until the end: with the last one gone, Chromium lets go what it holds.
        await page.route(pattern, async (route: Route) => {
          if (isOver) return route.continue()
          isOver = true
          if (moment === 'after') await route.fetch()
          await kill(page, victim)
          await route.abort().catch(() => undefined) // with a page or a frame its requests went, too
          done()
        })
        // A page that goes takes the answer with it.
        const outcome = start(page, operation, address).catch(() => ({ code: 'gone' }))
        await killed
        if (victim === 'R1') {
          expect(await outcome, about).toMatchObject({ code: 'frame_relay_unreachable' })
          await world.resumeRelay()
        } else await outcome
        await page.unroute(pattern)
        const message = `${about} ${epoch}`
        expect(isSignature(address, message, await sign(page, address, message)), about).toBe(true)
        const wallet = await walletOf(page)
        expect([epoch, epoch + 1], about).toContain(wallet?.epoch)
        expect(wallet?.here, about).toBe(true)
        expect(epochs.at(-1), about).toBe(wallet?.epoch)
        const next = await start(page, operation, address)
        expect(next, about).toMatchObject({ value: { wallet: { accountAddress: address } } })
        epoch = (await walletOf(page))?.epoch ?? -1
        expect(epoch, about).toBeGreaterThan(wallet?.epoch ?? epoch)
        expect(isSignature(address, about, await sign(page, address, about)), about).toBe(true)
        expect(epochs.at(-1), about).toBe(epoch)
      }
  },
  120_000,
)
