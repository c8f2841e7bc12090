import type { Locator, Page } from 'playwright-core'

export interface SendPage {
  readonly to: Locator
  readonly amount: Locator
  /** Choice of SOL and the held tokens. */
  readonly asset: Locator
  readonly note: Locator
  readonly speed: Locator
  /** Simulated changes, line by line; appears once the chain has simulated the transfer. */
  readonly changes: Locator
  readonly submit: Locator
  /** Steps that are done, in words. */
  readonly progress: Locator
  /** Appears once the transfer is confirmed. */
  readonly confirmed: Locator
  readonly explorerLink: Locator
  fill(to: string, amount: string): Promise<void>
}

export function sendPage(page: Page): SendPage {
  const to = page.getByLabel('Destination')
  const amount = page.getByLabel('Amount')
  return {
    to,
    amount,
    asset: page.getByLabel('Asset'),
    note: page.getByLabel('Note'),
    speed: page.getByLabel('Speed'),
    changes: page.getByRole('region', { name: 'What will change' }).getByRole('listitem'),
    submit: page.getByRole('main').getByRole('button', { name: 'Send', exact: true }),
    progress: page.getByRole('list', { name: 'Progress' }),
    confirmed: page.getByRole('list', { name: 'Progress' }).getByText(/^Confirmed · slot \d+$/),
    explorerLink: page.getByRole('link', { name: 'Show the transaction in the explorer' }),
    async fill(address, sol) {
      await to.fill(address)
      await amount.fill(sol)
    },
  }
}
