/** Types the code of a new device where the wallet asks for two groups of it. */
import type { Frame, FrameLocator } from 'playwright-core'

/** @param code as the new device shows it */
export async function typeJoinCode(frame: Frame | FrameLocator, code: string): Promise<void> {
  const fields = frame.getByLabel(/^Group \d$/)
  await fields.nth(1).waitFor()
  const labels = await frame.locator('label', { hasText: /^Group \d$/ }).allTextContents()
  for (const label of labels)
    await frame.getByLabel(label, { exact: true }).fill(code.split('-')[Number(label.slice(-1)) - 1] ?? '')
}
