/** What a person does to see the key of a wallet. */
import type { Page } from 'playwright-core'
import { press } from './person.js'
import type { Outcome } from './restore.js'
import { frameOf } from './world.js'

/** In a container of the page; `covered`: something lies over it that lets clicks through. */
export const beginExport = (page: Page, address: string, covered = false): Promise<Outcome> =>
  page.evaluate(
    ([address, covered]) => {
      const displayContainer = document.createElement('div')
      displayContainer.style.cssText = 'width:420px;height:640px;position:relative'
      document.body.append(displayContainer)
      const cover = document.createElement('div')
      cover.style.cssText = 'position:fixed;inset:0;background:#fff;opacity:.9;pointer-events:none;z-index:9'
      if (covered) document.body.append(cover)
      cover.id = 'cover'
      return window.host.outcome(window.host.keybay.waas.exportPrivateKey(address, { displayContainer }))
    },
    [address, covered] as const,
  )

export interface Shown {
  readonly text: string
  /** What else the window says. */
  readonly words: string
}
/** From the question to the end. */
export const exportKey = async (page: Page, address: string): Promise<Shown> => {
  const exporting = beginExport(page, address)
  const frame = await frameOf(page, 'visible')
  await press(frame.getByRole('button', { name: 'Export the key' }))
  await frame.getByRole('heading', { name: 'Your private key' }).waitFor()
  const words = (await frame.getByRole('main').textContent()) ?? ''
  await press(frame.getByRole('button', { name: 'Show the key' }))
  const key = frame.getByLabel('Private key')
  await key.waitFor()
  const text = (await key.textContent()) ?? ''
  await press(frame.getByRole('button', { name: 'Done' }))
  const { code } = await exporting
  if (code !== undefined) throw new Error(code)
  return { text, words }
}
