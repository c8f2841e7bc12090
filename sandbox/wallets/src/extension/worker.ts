/// <reference types="chrome" />
/**
 * Service worker: holds the keys, opens the approval window, answers pages. Chromium may end it at any time, so all its
 * state
 * is in storage, and a pending request is prepared again when the user answers.
 */
import { userRejected, walletLocked } from '../errors.js'
import { prepare, visibleTo } from './core/wallet.js'
import {
  DEFAULT_RPC_URL,
  PENDING,
  type Pending,
  RPC_URL,
  STATE,
  type ToContent,
  type ToWorker,
  WINDOW,
} from './messages.js'
import { pendingStore, stateStore } from './storage.js'

const WIDTH = 408
const HEIGHT = 640
const store = stateStore()
const waiting = pendingStore()

async function rpcUrl(): Promise<string> {
  const { [RPC_URL]: storedUrl } = await chrome.storage.local.get(RPC_URL)
  return typeof storedUrl === 'string' ? storedUrl : DEFAULT_RPC_URL
}

function tell(tabId: number, message: ToContent, frameId?: number) {
  // A closed page receives no messages.
  return chrome.tabs.sendMessage(tabId, message, frameId === undefined ? {} : { frameId }).catch(() => {})
}

async function answer({ key, id, tabId, frameId }: Pending, message: Omit<ToContent, 'id'>) {
  await waiting.update(all => all.filter(entry => entry.key !== key))
  await tell(tabId, { id, ...message }, frameId)
}

function fail(pending: Pending, error: unknown) {
  const { code, message } = Object(error)
  return answer(pending, { error: { message: String(message), ...(typeof code === 'number' && { code }) } })
}

/** Shows one window for all pending requests. */
async function showWindow() {
  const { [WINDOW]: windowId } = await chrome.storage.session.get(WINDOW)
  const open = typeof windowId === 'number' && (await chrome.windows.get(windowId).catch(() => undefined))
  if (open) {
    await chrome.windows.update(open.id ?? 0, { focused: true })
    return
  }
  const made = await chrome.windows.create({ url: 'approval.html', type: 'popup', width: WIDTH, height: HEIGHT })
  await chrome.storage.session.set({ [WINDOW]: made?.id })
}

async function call(pending: Pending) {
  try {
    const step = await prepare(store, await rpcUrl(), pending)
    if (step.kind === 'done') return await answer(pending, { result: step.result })
    await waiting.update(all => [...all, pending])
    await inTurn(showWindow)
  } catch (error) {
    await fail(pending, error)
  }
}

async function answered(key: string, approved: boolean) {
  const pending = (await waiting.read()).find(entry => entry.key === key)
  if (!pending) return
  try {
    const step = await prepare(store, await rpcUrl(), pending)
    if (step.kind === 'done') return await answer(pending, { result: step.result })
    if (!approved) throw step.request.kind === 'unlock' ? walletLocked() : userRejected()
    const next = await step.approved()
    if (next.kind === 'done') await answer(pending, { result: next.result })
    // Otherwise the window shows the next request, because the state has changed.
  } catch (error) {
    await fail(pending, error)
  }
}

let turn: Promise<unknown> = Promise.resolve()
/** Runs tasks one after the other, so that no two windows open and nothing is answered twice. */
function inTurn(run: () => Promise<unknown>): Promise<unknown> {
  turn = turn.then(run, run)
  return turn
}

chrome.runtime.onMessage.addListener((message: ToWorker, sender, respond) => {
  const { tab, frameId = 0, origin } = sender
  if (message.type === 'answer') void inTurn(() => answered(message.key, message.approved)).then(() => respond(true))
  else if (tab?.id === undefined || origin === undefined) return false
  else if (message.type === 'hello') {
    void visibleTo(store, origin)
      .then(visible => tell(tab.id ?? 0, { visible }))
      .then(() => respond(true))
  } else if (message.type === 'call') {
    const { id, method, params } = message
    void call({ key: crypto.randomUUID(), id, tabId: tab.id, frameId, origin, method, params }).then(() =>
      respond(true),
    )
  }
  return true
})

// Closing the window rejects all pending requests.
chrome.windows.onRemoved.addListener(async windowId => {
  const { [WINDOW]: storedId } = await chrome.storage.session.get(WINDOW)
  // The window closed itself because nothing was pending; a request from the same moment gets a new window.
  if (storedId === undefined && (await waiting.read()).length) await inTurn(showWindow)
  if (storedId !== windowId) return
  await chrome.storage.session.remove(WINDOW)
  for (const { key } of await waiting.read()) void inTurn(() => answered(key, false))
})

/** After a change of account, chain, lock or trust, every page receives what it may see now. */
chrome.storage.onChanged.addListener(async (changes, area) => {
  if (area !== 'local' || !changes[STATE]) return
  const tabs = await chrome.tabs.query({ url: ['http://localhost/*', 'http://*.localhost/*'] })
  for (const { id, url } of tabs)
    if (id !== undefined && url) await tell(id, { visible: await visibleTo(store, new URL(url).origin) })
})
// After an update of the extension or a restart of the browser, no page waits for the pending requests.
chrome.runtime.onInstalled.addListener(() => void chrome.storage.session.remove([PENDING, WINDOW]))
