// @vitest-environment happy-dom
/** The panel: what it shows, filters, pauses, copies and leaves behind. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createKit, type Kit } from './kit.js'

let kits: Kit[] = []
async function openKit(options?: Parameters<typeof createKit>[0]): Promise<Kit> {
  const kit = createKit(options)
  kits.push(kit)
  await kit.devtools.open()
  return kit
}
let copied = ''
beforeEach(() => {
  vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(async text => {
    copied = text
  })
})
afterEach(() => {
  for (const { dispose } of kits) dispose()
  kits = []
  copied = ''
  vi.restoreAllMocks()
})

function hosts() {
  return [...document.querySelectorAll('[data-keybay-devtools]')]
}
function find<T extends Element = HTMLElement>(selector: string, host = hosts()[0]): T {
  const found = host?.shadowRoot?.querySelector<T>(selector)
  if (!found) throw new Error(`The panel has no ${selector}`)
  return found
}
function press(label: string) {
  find(`button[aria-label="${label}"], [role=tab][id="${label}"]`).click()
}
function filter(words: string) {
  const input = find<HTMLInputElement>('input')
  input.value = words
  input.dispatchEvent(new Event('input'))
}
/** Returns the rows of the open tab, newest first. */
function listed() {
  const list = [...(hosts()[0]?.shadowRoot?.querySelectorAll('ol') ?? [])].find(({ hidden }) => !hidden)
  return [...(list?.querySelectorAll('.name') ?? [])].map(name => name.firstChild?.textContent)
}
const CONNECTION = { connectorId: 'acme', accounts: [], openedAt: 0 }

function connect({ emit }: Kit, connectorId = 'acme') {
  emit('connection:opening', { connectorId })
  emit('connection:opened', { connection: { ...CONNECTION, connectorId }, resumed: false })
}

it('lists actions and events newest first, and what each event says', async () => {
  const kit = await openKit()
  expect(find('.content').textContent).toContain('Nothing has happened yet.')
  connect(kit)
  connect(kit, 'other')
  await kit.clock.advance(0)
  expect(listed()).toEqual(['Connect other', 'Connect acme'])
  press('Events')
  expect(listed()).toEqual(['connection:opened', 'connection:opening', 'connection:opened', 'connection:opening'])
  expect(find('ol:not([hidden]) pre').textContent).toContain('"connectorId": "other"')
  press('State')
  expect(find('.state').textContent).toContain('Session: anonymous')
})

it('draws each row of an action as text and as a bar in its place', async () => {
  const kit = await openKit()
  kit.emit('connection:opening', { connectorId: 'acme' })
  await kit.clock.advance(100)
  const prompt = { type: 'choice', promptId: '1', connectorId: 'acme', title: 'Which?', options: [] } as const
  kit.emit('prompt:opened', { prompt: { ...prompt, answer() {}, cancel() {} } })
  await kit.clock.advance(300)
  kit.emit('prompt:closed', { promptId: '1' })
  kit.emit('connection:opened', { connection: CONNECTION, resumed: false })
  await kit.clock.advance(0)
  expect([...find('tbody tr').querySelectorAll('th, td')].map(cell => cell.textContent.trim())).toEqual([
    'Prompt: choice',
    'prompt',
    '100 ms',
    '300 ms',
  ])
  expect(find('.bar').style).toMatchObject({ marginInlineStart: '25%', width: '75%' })
})

it('filters by all words in any order, and copies what is left', async () => {
  const kit = await openKit()
  connect(kit)
  connect(kit, 'other')
  await kit.clock.advance(0)
  press('Events')
  filter('OTHER opened')
  expect(listed()).toEqual(['connection:opened'])
  press('Copy events as JSON')
  await kit.clock.advance(0)
  expect(JSON.parse(copied)).toMatchObject([
    { event: 'connection:opened', payload: { connection: { connectorId: 'other' } } },
  ])
  expect(find('[role=status]').textContent).toBe('Copied')
  filter('nothing like this')
  expect([listed(), find('.content').textContent]).toEqual([[], expect.stringContaining('No event has these words.')])
})

it('pauses: shows nothing new and counts it, and shows it afterwards', async () => {
  const kit = await openKit()
  connect(kit)
  await kit.clock.advance(0)
  press('Events')
  press('Pause')
  connect(kit, 'other')
  await kit.clock.advance(0)
  expect([listed().length, find('[role=status]').textContent]).toEqual([2, 'Paused. 2 new since.'])
  press('Pause')
  expect([listed().length, find('[role=status]').textContent]).toEqual([4, ''])
  press('Clear')
  expect([listed(), (await kit.exported()).events]).toEqual([[], []])
})

it('keeps the element and the open state of an action that goes on', async () => {
  const kit = await openKit()
  kit.emit('connection:opening', { connectorId: 'acme' })
  await kit.clock.advance(0)
  const details = find<HTMLDetailsElement>('details')
  details.open = true
  kit.emit('connection:opened', { connection: CONNECTION, resumed: false })
  await kit.clock.advance(0)
  expect(find('details')).toBe(details)
  expect([details.open, find('.gist').textContent]).toEqual([true, 'done · 0 ms'])
})

it('moves between its tabs by arrow keys, with one stop of the Tab key', async () => {
  await openKit()
  find('[role=tab][id=Actions]').dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowLeft' }))
  const tabs = [...(hosts()[0]?.shadowRoot?.querySelectorAll<HTMLElement>('[role=tab]') ?? [])]
  expect(tabs.map(tab => [tab.id, tab.getAttribute('aria-selected'), tab.tabIndex])).toEqual([
    ['Actions', 'false', -1],
    ['Events', 'false', -1],
    ['State', 'true', 0],
  ])
  expect(find('[role=tabpanel]').getAttribute('aria-labelledby')).toBe('State')
})

it('Escape clears the filter first, and then closes the panel', async () => {
  const { devtools } = await openKit()
  filter('words')
  const pressEscape = () => new KeyboardEvent('keydown', { key: 'Escape', bubbles: true })
  find('input').dispatchEvent(pressEscape())
  expect(devtools.isOpen).toBe(true)
  filter('')
  find('input').dispatchEvent(pressEscape())
  expect([devtools.isOpen, hosts()]).toEqual([false, []])
})

it('shows text of an event as text, never as markup', async () => {
  const kit = await openKit()
  connect(kit, '<img src=x onerror=alert(1)>')
  await kit.clock.advance(0)
  press('Events')
  expect(hosts()[0]?.shadowRoot?.querySelector('img')).toBeNull()
  expect(listed()).toHaveLength(2)
})

it('leaves nothing behind when it is closed, or when the instance is disposed', async () => {
  const added: string[] = []
  const removed: string[] = []
  vi.spyOn(document, 'addEventListener').mockImplementation(name => void added.push(name))
  vi.spyOn(document, 'removeEventListener').mockImplementation(name => void removed.push(name))
  const before = document.documentElement.outerHTML
  const kit = await openKit()
  expect(hosts()).toHaveLength(1)
  kit.devtools.close()
  expect(document.documentElement.outerHTML).toBe(before)
  await kit.devtools.open()
  kit.dispose()
  await kit.devtools.open()
  expect([document.documentElement.outerHTML, kit.devtools.isOpen]).toEqual([before, false])
  expect(added).toEqual(['click'])
  expect(removed).toEqual(added)
})

it('serves two instances of the kernel side by side, each with its own panel and events', async () => {
  const first = await openKit({ title: 'First' })
  const second = await openKit({ title: 'Second' })
  connect(first)
  await second.clock.advance(0)
  expect(hosts().map(host => find('aside', host).getAttribute('aria-label'))).toEqual(['First', 'Second'])
  expect(hosts().map(host => host.shadowRoot?.querySelectorAll('li').length)).toEqual([1, 0])
  first.dispose()
  expect(hosts().map(host => find('aside', host).getAttribute('aria-label'))).toEqual(['Second'])
  connect(second)
  await second.clock.advance(0)
  expect(listed()).toEqual(['Connect acme'])
})

it('opens once however often it is asked, stays closed if it is closed while it loads, and opens at start if told to', async () => {
  const kit = createKit({ open: true })
  kits.push(kit)
  await Promise.all([kit.devtools.open(), kit.devtools.open()])
  await expect.poll(() => hosts()).toHaveLength(1)
  kit.devtools.close()
  const opening = kit.devtools.open()
  kit.devtools.close()
  await opening
  expect([kit.devtools.isOpen, hosts()]).toEqual([false, []])
})
