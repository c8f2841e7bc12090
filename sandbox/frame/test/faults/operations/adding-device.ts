import type { Page } from 'playwright-core'
import type { Operation, Outcome } from '../matrix.js'
import { forgetShares } from '../other-share.js'
import { agreeing, getScreen, leave } from '../screens.js'
import { look, signs } from '../signing.js'
import type { Stack } from '../stack.js'
import { getWallet, makeWallet } from '../wallets.js'

/** A second device requests to join, and the first one deals for it. The frame that dies is the second device's. */
export async function addingDevice(stack: Stack): Promise<Operation> {
  const { page: old, address: person } = await stack.visit()
  const address = await makeWallet(old, 'THREE_OF_FIVE')
  const { page: fresh } = await stack.visit(person)
  const add = (page: Page): Promise<Outcome> =>
    page.evaluate(address => window.host.outcome(window.host.keybay.waas.addDevice(address)), address)
  return {
    name: 'add a device',
    page: fresh,
    async attempt() {
      await leave(old)
      await leave(fresh)
      const asking = add(fresh)
      const shown = getScreen(fresh).locator('pre.code').waitFor()
      const early = await Promise.race([
        asking,
        shown.then(
          () => undefined,
          () => asking,
        ),
      ])
      if (early) return early
      await old.bringToFront()
      const admitting = agreeing(old, 'Add', add(old))
      const first = await Promise.race([asking, admitting])
      if ('value' in first) return asking
      // Ends the wait for the other device.
      await leave(fresh)
      await asking
      return first
    },
    async look() {
      await look(old, address)
      const { here } = await getWallet(fresh, address)
      if (here) await signs(fresh, address)
      return `${here}`
    },
    again: () => forgetShares(fresh),
  }
}
