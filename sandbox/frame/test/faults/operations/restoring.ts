/** Restores a backup: in place of a lost device, or as one more device. */
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { Operation, Outcome } from '../matrix.js'
import { forgetShares } from '../other-share.js'
import { agreeing } from '../screens.js'
import { look, signs, signsNot } from '../signing.js'
import type { Stack } from '../stack.js'
import { backUp, drive, getWallet, makeWallet } from '../wallets.js'

async function restore(page: Page, address: string, mode: 'replace-device' | 'add-device'): Promise<Outcome> {
  await page.bringToFront()
  const attempt = page.evaluate(
    ([address, drive, mode]) => {
      const displayContainer = document.createElement('div')
      displayContainer.style.cssText = 'width:420px;height:640px'
      document.body.append(displayContainer)
      const options = { displayContainer, backup: drive, mode } as const
      return window.host
        .outcome(window.host.keybay.waas.restoreBackup(address, options))
        .finally(() => displayContainer.remove())
    },
    [address, drive, mode] as const,
  )
  return agreeing(page, mode === 'replace-device' ? 'Replace it' : 'Restore', attempt)
}

/** Restores in place of a lost device; two browsers take turns as that device. */
export async function restoring(stack: Stack): Promise<Operation> {
  const first = await stack.visit()
  let lost = first.page
  let { page: fresh } = await stack.visit(first.address)
  const address = await makeWallet(lost, 'THREE_OF_FIVE')
  expect(await backUp(lost, address)).toHaveProperty('value')
  return {
    name: 'restore in the place of a lost device',
    get page() {
      return fresh
    },
    attempt: () => restore(fresh, address, 'replace-device'),
    async look() {
      const { here, epoch } = await getWallet(fresh, address)
      if (!here) await look(lost, address)
      else {
        await signs(fresh, address)
        await signsNot(lost, address, 'the lost device')
      }
      return `${epoch} ${here}`
    },
    async again() {
      const found = fresh
      fresh = lost
      lost = found
    },
  }
}

/** Restores as one more device with its own set; the other device still works. */
export async function restoringOneMore(stack: Stack): Promise<Operation> {
  const { page: old, address: person } = await stack.visit()
  const { page: fresh } = await stack.visit(person)
  const address = await makeWallet(old, 'THREE_OF_FIVE')
  expect(await backUp(old, address)).toHaveProperty('value')
  return {
    name: 'restore as one more device',
    page: fresh,
    attempt: () => restore(fresh, address, 'add-device'),
    async look() {
      await look(old, address)
      const { here } = await getWallet(fresh, address)
      if (here) await signs(fresh, address)
      return `${here}`
    },
    again: () => forgetShares(fresh),
  }
}
