/** Schedules transfers as a user does. */
import { Connection, LAMPORTS_PER_SOL, PublicKey } from '@solana/web3.js'
import { expect } from 'vitest'
import { openAdvanced } from './flows-waas.js'
import type { Sandbox } from './sandbox.js'
import type { Tab } from './visitor.js'
import { walletFrame } from './wallet-frame.js'

export interface Plan {
  readonly to: string
  readonly amount: string
  readonly times: number
}
const HOUR = 3_600_000

/** Moves the app's clock by an hour, so that the next payment of an hourly schedule is due. */
export async function anHourLater({ app }: Sandbox): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${app.port}/admin/clock`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ advance: HOUR }),
  })
  if (!response.ok) throw new Error(await response.text())
}
/** Returns a balance in lamports. */
export function readBalance({ chain }: Sandbox, address: string): Promise<number> {
  return new Connection(chain.url, 'confirmed').getBalance(new PublicKey(address))
}

export async function fund(sandbox: Sandbox, address: string, sol: number): Promise<void> {
  const connection = new Connection(sandbox.chain.url, 'confirmed')
  await connection.requestAirdrop(new PublicKey(address), sol * LAMPORTS_PER_SOL)
  await expect.poll(() => readBalance(sandbox, address)).toBe(sol * LAMPORTS_PER_SOL)
}

export async function openDelegates(tab: Tab): Promise<void> {
  const { page } = tab
  await openAdvanced(tab)
  await page.getByRole('region', { name: 'Delegates' }).getByRole('link', { name: 'Delegates' }).click()
  await page.getByRole('heading', { name: 'Delegates', level: 1 }).waitFor()
}

/** Fills in an hourly schedule with this number of payments, by keyboard alone. */
export async function fillSchedule({ page }: Tab, { to, amount, times }: Plan): Promise<void> {
  await page.getByLabel('To', { exact: true }).focus()
  await page.keyboard.insertText(to)
  await page.keyboard.press('Tab')
  await page.keyboard.insertText(amount)
  await page.keyboard.press('Tab')
  // Moves up from “Every day”.
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Tab')
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.insertText(String(times))
  await page.keyboard.press('Enter')
}

/** Plans a schedule, and agrees in the wallet's own window. */
export async function schedule(tab: Tab, plan: Plan): Promise<void> {
  await fillSchedule(tab, plan)
  const frame = walletFrame(tab.page)
  await frame.screen.getByText(/^Nothing after /).waitFor()
  await frame.agree('Let “Sandbox scheduler” sign?', 'Allow')
}
