// @vitest-environment happy-dom
/** Tests what stays in the window after the end of a question or of a job. */
import { KeybayError, systemClock } from '@keybay/kernel/spec'
import { backupMalformed } from '@keybay/waas/mpc'
import { expect, it, vi } from 'vitest'
import { element } from '../../src/page/screen/dom.js'
import { agreeTo } from '../../src/page/screen/questions.js'
import { createScreen } from '../../src/page/screen/screen.js'
import { showKey } from '../../src/page/screen/show-key.js'

function open() {
  const place = document.createElement('div')
  const screen = createScreen({ place, view: 'visible', hostOrigin: 'https://app.example', clock: systemClock })
  const ask = (title: string, read = vi.fn(), only?: 'action' | 'cancel') => {
    const control = new AbortController()
    const { signal } = control
    const input = element('input', {})
    const asking = screen.ask({ title, content: [input], action: 'Sign', only, read, signal })
    const agree = [...place.querySelectorAll('button')].find(({ textContent }) => textContent === 'Sign')
    return { asking, agree, read, input, abort: () => control.abort() }
  }
  return { place, screen, ask, getTitle: () => place.querySelector('h1')?.textContent }
}

it('a late click on the question of an aborted request reads no answer, and the window is empty', async () => {
  const { place, ask } = open()
  const { asking, agree, read, abort } = ask('Sign?')
  abort()
  await expect(asking).rejects.toMatchObject({ code: 'aborted' })
  agree?.click()
  expect(agree).toBeDefined()
  expect(read).not.toHaveBeenCalled()
  expect(place.childElementCount).toBe(0)
})

it('the end of a job clears its progress, and leaves the open question of another job', async () => {
  const { place, screen, ask, getTitle } = open()
  screen.busy('Signing…')
  screen.clear()
  expect(place.childElementCount).toBe(0)
  const { asking, agree } = ask('Delete?')
  screen.clear()
  expect(getTitle()).toBe('Delete?')
  agree?.click()
  await asking
  expect(place.childElementCount).toBe(0)
})

it('names the step of an operation, with its progress, and ignores steps that only the page shows', () => {
  const { place, screen } = open()
  screen.step({ step: 'deal', number: 1, of: 3 })
  expect(place.childElementCount).toBe(0)
  screen.busy('Creating your wallet…')
  expect(place.querySelector('progress')?.hasAttribute('value')).toBe(false)
  screen.step({ step: 'backup', number: 2, of: 3 })
  screen.step({ step: 'relay', number: 7, of: 7 })
  expect(place.textContent).toBe('Creating your wallet…Step 2 of 3: saving the shares')
  expect(place.querySelector('progress')?.getAttribute('value')).toBe('1.5')
  screen.busy('Signing…')
  expect(place.textContent).toBe('Signing…')
})

it('a question that another one has replaced takes no Enter, and its end leaves the other one open', async () => {
  const { place, ask, getTitle } = open()
  document.body.append(place)
  const replaced = ask('Delete?')
  const shown = ask('Sign?')
  shown.input.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }))
  await shown.asking
  expect(replaced.read).not.toHaveBeenCalled()
  ask('Sign again?')
  replaced.abort()
  await expect(replaced.asking).rejects.toMatchObject({ code: 'aborted' })
  expect(getTitle()).toBe('Sign again?')
})

it('a window without a choice has one button: a notice cannot be cancelled, and a wait cannot be agreed to', async () => {
  const { place, ask } = open()
  document.body.append(place)
  const getButtons = () => [...place.querySelectorAll('button:not([hidden])')].map(({ textContent }) => textContent)
  const notice = ask('Signed', undefined, 'action')
  expect(getButtons()).toEqual(['Sign'])
  notice.agree?.click()
  await notice.asking
  const wait = ask('Add this device', undefined, 'cancel')
  expect(getButtons()).toEqual(['Cancel'])
  wait.input.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }))
  wait.agree?.click()
  wait.abort()
  await expect(wait.asking).rejects.toMatchObject({ code: 'aborted' })
  expect(wait.read).not.toHaveBeenCalled()
})

it('says what to do about an error whose message only says what is wrong', async () => {
  const { place, ask } = open()
  const read = vi.fn()
  const { asking, agree, abort } = ask('Choose the backup file', read)
  const getProblem = () => place.querySelector('[role="alert"]')?.textContent
  for (const [error, shown] of [
    [new KeybayError(backupMalformed), 'Not a backup. Choose the file that you saved as your backup.'],
    [new Error('Choose the file first.'), 'Choose the file first.'],
  ] as const) {
    read.mockRejectedValueOnce(error)
    agree?.click()
    await expect.poll(() => getProblem()).toBe(shown)
  }
  abort()
  await expect(asking).rejects.toMatchObject({ code: 'aborted' })
})

it('lists the rules of a question below its sentences', () => {
  const { place, screen } = open()
  const question = {
    title: 'Let it sign?',
    sentences: ['Until you revoke it.'],
    rules: ['At most 1 SOL a day.', 'No messages.'],
  }
  const control = new AbortController()
  agreeTo(screen, { ...question, action: 'Allow' }, { address: 'a1', signal: control.signal }).catch(() => {})
  const list = place.querySelector('ul.card')
  expect(list?.previousElementSibling?.textContent).toBe('Until you revoke it.')
  expect([...(list?.children ?? [])].map(({ textContent }) => textContent)).toEqual(question.rules)
  control.abort()
})

it('shows a key with the button that copies it next to it, and keeps no room for a hint', async () => {
  const { place, screen } = open()
  document.body.append(place)
  const text = () => 'the key'
  const options = { address: 'abcd', text, erase: vi.fn(), use: 'Paste it.', clock: systemClock, self: window }
  const showing = showKey(screen, { ...options, signal: new AbortController().signal })
  const press = (name: string) =>
    [...place.querySelectorAll('button')].find(({ textContent }) => textContent === name)?.click()
  const input = place.querySelector('input')
  if (input) input.value = 'abcd'
  input?.dispatchEvent(new Event('input'))
  press('Show the key')
  const key = place.querySelector('pre')
  expect(key?.textContent).toBe('the key')
  expect(key?.nextElementSibling?.querySelector('button:not([hidden])')?.textContent).toBe('Copy')
  expect(place.querySelector<HTMLElement>('.hint')?.hidden).toBe(true)
  window.dispatchEvent(new FocusEvent('blur'))
  expect(place.querySelector<HTMLElement>('.hint')?.hidden).toBe(false)
  press('Done')
  await showing
})
