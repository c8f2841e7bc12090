// @vitest-environment happy-dom
/** Tests what proves the window to the user, and its theme. */
import 'fake-indexeddb/auto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { createSession } from '../../src/page/core/session.js'
import { createBox } from '../../src/page/screen/box.js'
import { element } from '../../src/page/screen/dom.js'
import { readIdentity, WORDS } from '../../src/page/screen/identity.js'
import { applyTheme } from '../../src/page/screen/theme.js'
import { openShareStore } from '../../src/page/store/share-store.js'
import { assertLegible, DEFAULT_COLORS } from '../../src/server/legible.js'

function tokenOf(sub: string): string {
  return `.${Buffer.from(JSON.stringify({ sub })).toString('base64url')}.`
}

function open(environmentId = crypto.randomUUID()) {
  const [session, store] = [createSession(), openShareStore(environmentId)]
  session.take(tokenOf('ann'))
  return { session, store, environmentId, read: () => readIdentity(session, store) }
}

it('has 256 words for phrases, so that each byte is one', () => {
  expect(new Set(WORDS).size).toBe(256)
  expect(WORDS.every(word => /^[a-z]{3,9}$/.test(word))).toBe(true)
})

it('makes one phrase for a user and browser, also for two windows at once, and another one for another user', async () => {
  const { session, read, environmentId } = open()
  const other = open(environmentId)
  const [first, second] = await Promise.all([read(), other.read()])
  expect(first.phrase).toMatch(/^[a-z]+ [a-z]+ [a-z]+$/)
  expect(second.phrase).toBe(first.phrase)
  expect([first.isNew, second.isNew].filter(Boolean)).toHaveLength(1)
  expect(await read()).toEqual({ account: undefined, phrase: first.phrase, isNew: false })
  session.take(tokenOf('bob'))
  expect((await read()).phrase).not.toBe(first.phrase)
})

it('shows the account of the session’s user only, and forgets it when the user leaves', async () => {
  const { session, read } = open()
  expect((await read()).account).toBeUndefined()
  session.take(tokenOf('ann'), Promise.resolve('ann@people.example'))
  expect((await read()).account).toBe('ann@people.example')
  session.forget()
  expect(await read()).toEqual({})
  session.take(tokenOf('ann'), Promise.resolve('ann@people.example'))
  session.take(tokenOf('bob'))
  expect((await read()).account).toBeUndefined()
})

it('asks without a phrase where storage is blocked', async () => {
  const { session } = open()
  const phrase = vi.fn(() => Promise.reject(new Error('blocked')))
  expect(await readIdentity(session, { phrase })).toEqual({ account: undefined })
})

it('names the app beside its origin, the account, and the phrase; a new phrase is explained', () => {
  const agree = { button: element('button'), rows: [], hint: undefined, counts: () => true, start() {}, stop() {} }
  const identity = { account: 'ann@people.example', phrase: 'lake otter pine', isNew: true }
  const origin = { title: 'Sign?', hostOrigin: 'https://acme.example', content: [], agree }
  const read = (options: Parameters<typeof createBox>[0]) =>
    [...createBox(options).box.querySelectorAll('.parts > :is(p, small)')].map(({ textContent }) => textContent)
  expect(read({ ...origin, appName: 'Acme', identity })).toEqual([
    'Asked by Acme at https://acme.example',
    'Account ann@people.example',
    'Your phrase lake otter pine',
    expect.stringContaining('Remember this phrase.'),
  ])
  expect(read(origin)).toEqual(['Asked by https://acme.example'])
})

it('knows the colors of its style sheet, and applies those of a theme', async () => {
  const css = await readFile(join(import.meta.dirname, '../../src/page/style.css'), 'utf8')
  for (const [name, { light, dark }] of Object.entries(DEFAULT_COLORS))
    expect(css).toContain(`--${name === 'onAction' ? 'on-action' : name}: light-dark(${light}, ${dark});`)
  const { style } = document.documentElement
  applyTheme({ colors: { onAction: { light: '#111111', dark: '#222222' } }, radius: 2, font: 'Georgia, serif' }, style)
  const names = ['--on-action', '--radius', '--font']
  expect(names.map(name => style.getPropertyValue(name))).toEqual([
    'light-dark(#111111, #222222)',
    '2px',
    'Georgia, serif',
  ])
  expect(() => assertLegible({})).not.toThrow()
})
