// @vitest-environment happy-dom
import { expect, it, onTestFinished } from 'vitest'
import { Modal } from '../src/ui/index.js'
import { deferred, freshPages, host, render, settle } from './helpers.js'

freshPages()

function nothing() {}

function dialogWith(text: string, open: boolean) {
  return (
    <Modal open={open} onClose={nothing} labelledBy="title">
      <h2 id="title">{text}</h2>
    </Modal>
  )
}

function getText() {
  return document.querySelector('dialog h2')?.textContent
}

/** Lets every dialog fade out until the test says so, which happy-dom cannot do. */
function fadeOut() {
  const { promise, resolve } = deferred<undefined>()
  Object.defineProperty(HTMLElement.prototype, 'getAnimations', {
    configurable: true,
    value: () => [{ finished: promise }],
  })
  onTestFinished(() => void Reflect.deleteProperty(HTMLElement.prototype, 'getAnimations'))
  return resolve
}

it('a modal that closes without motion is empty at once', async () => {
  const page = await render(host().keybay, dialogWith('First', true))
  expect(getText()).toBe('First')
  await page.render(dialogWith('Later', false))
  expect(getText()).toBeUndefined()
})

it('a modal that fades out shows its last content until then', async () => {
  const end = fadeOut()
  const page = await render(host().keybay, dialogWith('First', true))
  await page.render(dialogWith('Last', true))
  await page.render(dialogWith('Later', false))
  expect(document.querySelector('dialog')?.open).toBe(false)
  expect(getText()).toBe('Last')
  await settle(() => end(undefined))
  expect(getText()).toBeUndefined()
})

it('a modal that opens while it fades out keeps its new content', async () => {
  const end = fadeOut()
  const page = await render(host().keybay, dialogWith('First', true))
  await page.render(dialogWith('Later', false))
  await page.render(dialogWith('Second', true))
  expect(getText()).toBe('Second')
  await settle(() => end(undefined))
  expect(getText()).toBe('Second')
})

it('a modal that fades out does not hold the focus when what had it before is gone', async () => {
  fadeOut()
  const page = await render(host().keybay, dialogWith('First', true))
  const close = document.querySelector<HTMLElement>('dialog .keybay-close')
  close?.focus()
  expect(document.activeElement).toBe(close)
  await page.render(dialogWith('Later', false))
  expect(getText()).toBe('First')
  expect(document.activeElement).toBe(document.body)
})
