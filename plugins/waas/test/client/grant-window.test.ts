// @vitest-environment happy-dom
/** The window of a drive's provider, opened by a function of the host's or by ours; the host's may fail in every way. */
import { errorSpec, KeybayError } from '@keybay/kernel'
import { fakeClock } from '@keybay/kernel/testing'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type OpenGrant, withGrantWindow } from '../../src/client/grant-window.js'

const PAGE = 'https://accounts.example.com/o/oauth2/v2/auth?state=1'
/** Another site's window, as a page sees it. */
function popup() {
  const popupWindow: Window = Object.create(window, {
    closed: { value: false, writable: true },
    close: { value: () => Object.assign(popupWindow, { closed: true }) },
  })
  return popupWindow
}

beforeEach(() => document.body.replaceChildren())
afterEach(() => expect(document.querySelector('dialog')).toBeNull())

/** An operation that tells of a window, and is over when the test says so. */
function begin(open: OpenGrant, url = PAGE) {
  const clock = fakeClock()
  const over: { end?: (answer: string) => void } = {}
  const done = withGrantWindow({ clock, open }, (signal, step) => {
    step(url)
    return new Promise<string>((resolve, reject) => {
      over.end = resolve
      signal.addEventListener('abort', () => reject(signal.reason))
      if (signal.aborted) reject(signal.reason)
    })
  })
  return { clock, done, end: (answer: string) => over.end?.(answer) }
}

function button(name: string) {
  return [...document.querySelectorAll('button')].find(({ textContent }) => textContent === name)
}

it('opens the provider’s page with the host’s function, and closes the window when the operation ends', async () => {
  const opened: string[] = []
  const popupWindow = popup()
  const { done, end } = begin(url => {
    opened.push(url)
    return popupWindow
  })
  expect([opened, popupWindow.closed]).toEqual([[PAGE], false])
  end('granted')
  expect(await done).toBe('granted')
  expect(popupWindow.closed).toBe(true)
})

it('shows a button when the host’s function opens no window, and rejects when the user cancels', async () => {
  const popupWindow = popup()
  const answers = [null, null, popupWindow]
  const first = begin(() => answers.shift() ?? null)
  expect(document.querySelector('dialog')?.textContent).toContain('accounts.example.com')
  button('Open the window')?.click()
  expect(document.querySelector('dialog')).not.toBeNull()
  button('Open the window')?.click()
  expect(document.querySelector('dialog')).toBeNull()
  first.end('granted')
  expect(await first.done).toBe('granted')

  const second = begin(() => null)
  button('Cancel')?.click()
  await expect(second.done).rejects.toMatchObject({ code: 'user_rejected' })
})

it('an error thrown by the host’s function ends the operation with that error, at once or at the button press', async () => {
  const broken = () => {
    throw new KeybayError(errorSpec('host_broken', 'The host has no windows'))
  }
  await expect(begin(broken).done).rejects.toMatchObject({ code: 'host_broken' })
  const answers: OpenGrant[] = [() => null, broken]
  const late = begin(url => answers.shift()?.(url) ?? null)
  button('Open the window')?.click()
  await expect(late.done).rejects.toMatchObject({ code: 'host_broken' })
})

it('rejects with user_rejected when the user closes the grant window, and opens only web pages', async () => {
  const popupWindow = popup()
  const { clock, done } = begin(() => popupWindow)
  const ended = expect(done).rejects.toMatchObject({ code: 'user_rejected' })
  popupWindow.close()
  await clock.advance(4_000)
  await ended

  const opened: string[] = []
  const other = begin(url => {
    opened.push(url)
    return null
  }, 'javascript:alert(1)')
  other.end('nothing was opened')
  expect([await other.done, opened]).toEqual(['nothing was opened', []])
})
