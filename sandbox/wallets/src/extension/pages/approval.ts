/// <reference types="chrome" />
/** Approval window. Shows the first pending request, prepared again, and closes when none is left. */
import { createApprovalWindow } from '../../approval-window.js'
import { ICON } from '../../icon.js'
import type { ApprovalRequest } from '../../requests.js'
import { createStyleSheet } from '../../styles.js'
import { prepare } from '../core/wallet.js'
import { DEFAULT_RPC_URL, type ToWorker, WINDOW } from '../messages.js'
import { pendingStore, stateStore } from '../storage.js'

const store = stateStore()
const waiting = pendingStore()
const host = document.createElement('div')
const root = host.attachShadow({ mode: 'open' })
root.adoptedStyleSheets = [createStyleSheet()]
document.body.append(host)

let key: string | undefined
let shown: ApprovalRequest | undefined
let account = 1

async function answer(approved: boolean) {
  if (key === undefined) return
  const message: ToWorker = { type: 'answer', key, approved }
  await chrome.runtime.sendMessage(message)
}
const approval = createApprovalWindow({
  root,
  name: 'Sandbox extension',
  icon: ICON,
  label: () => `Account ${account}`,
  approve: () => void answer(true),
  reject: () => void answer(false),
})

let drawing: Promise<void> = Promise.resolve()

async function draw() {
  const all = await waiting.read()
  const [first] = all
  if (!first) {
    await chrome.storage.session.remove(WINDOW) // so that closing the window does not count as a rejection
    window.close()
    return
  }
  account = (await store.read()).active + 1
  // A request that can no longer be prepared has been answered, or will be.
  const step = await prepare(store, DEFAULT_RPC_URL, first).catch(() => undefined)
  if (step?.kind !== 'ask') return answerStale(first.key)
  // Drawing the same request again would take the focus from the user.
  if (first.key === key && step.request.kind === shown?.kind && step.request.address === shown.address) return
  key = first.key
  shown = step.request
  approval.show(shown, all.length)
}

async function answerStale(stale: string) {
  key = stale
  await answer(false)
}

function redraw() {
  drawing = drawing.then(draw, draw)
}
chrome.storage.onChanged.addListener(redraw)
redraw()
