/** Lets another browser sign for a wallet, and revokes it, as a user does. */
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { press } from './person.js'
import { getFrame } from './world.js'

export function addDevice(page: Page, address: string) {
  return page.evaluate(address => window.host.outcome(window.host.keybay.waas.addDevice(address)), address)
}

/** Revokes a set, and agrees as the user. @returns the window's question */
export async function revoke(page: Page, address: string, setId = ''): Promise<string | null> {
  await page.bringToFront()
  const revoking = page.evaluate(
    ([address, setId]) => window.host.outcome(window.host.keybay.waas.revokeSet(address, setId)),
    [address, setId] as const,
  )
  const frame = await getFrame(page, 'visible')
  const title = await frame.getByRole('heading', { level: 1 }).textContent()
  await press(frame.getByRole('button', { name: 'Revoke', exact: true }))
  expect((await revoking).code).toBeUndefined()
  return title
}

/** Joins from the new page; the user compares the code on the old page, and agrees. */
export async function join(old: Page, fresh: Page, address: string): Promise<void> {
  const asking = addDevice(fresh, address)
  const shown = await getFrame(fresh, 'visible')
  const code = (await shown.locator('pre.code').textContent()) ?? ''
  expect(code).toMatch(/^[\w-]{4}(-[\w-]{4}){3}$/)
  // The browser does not draw a page in the background, and its buttons wait until they are visible.
  await old.bringToFront()
  const admitting = addDevice(old, address)
  const frame = await getFrame(old, 'visible')
  await frame.getByText(`It shows the code ${code}.`).waitFor()
  await press(frame.getByRole('button', { name: 'Add', exact: true }))
  expect((await admitting).code).toBeUndefined()
  expect((await asking).code).toBeUndefined()
}
