/// <reference types="chrome" />
/**
 * Relays messages between page and worker, in an isolated world. Outlives its extension, and then answers with an
 * error.
 */
import { isPosted, MARK, type Posted } from './inpage/channel.js'
import type { ToContent, ToWorker } from './messages.js'

function post(posted: Omit<Posted, 'mark' | 'to'>) {
  const whole: Posted = { ...posted, mark: MARK, to: 'page' }
  window.postMessage(whole, location.origin)
}

async function send(message: ToWorker) {
  // Once the extension is gone, `chrome.runtime` has no id.
  if (!chrome.runtime?.id) throw new Error('Extension context invalidated.')
  return chrome.runtime.sendMessage(message)
}

addEventListener('message', async ({ data, source }) => {
  if (source !== window || !isPosted(data, 'wallet')) return
  const { id = '', method = '', params } = data
  try {
    // Confirms only receipt: the answer arrives separately, because the worker may restart before it.
    await send({ type: 'call', id, method, params })
  } catch (error) {
    post({ id, error: { message: error instanceof Error ? error.message : 'Extension context invalidated.' } })
  }
})
chrome.runtime.onMessage.addListener((message: ToContent) => {
  post(message)
})
send({ type: 'hello' }).catch(() => {})
