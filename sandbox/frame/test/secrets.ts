/** Enters a user's backup secrets in the wallet's own window. */
import type { Frame } from 'playwright-core'
import { press } from './person.js'

/** Recovery code that a page supplies. */
export const CODE = 'KEYB-AYTE-STC0-DEF0-RTHE-FA0T-MATR-1X9Q'

/** Keeps the code that is shown, and types the requested group of it. @returns the code */
export async function takeCode(frame: Frame): Promise<string> {
  const code = (await frame.locator('pre.code').textContent()) ?? ''
  await frame.getByLabel('I have saved it').check()
  await frame.getByRole('button', { name: 'Continue' }).click()
  const label = (await frame.locator('label', { hasText: /^Group/ }).textContent()) ?? ''
  await frame.getByLabel(label).fill(code.split('-')[Number(/\d/.exec(label)?.[0]) - 1] ?? '')
  await press(frame.getByRole('button', { name: 'Continue' }))
  return code
}
