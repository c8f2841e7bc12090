/// <reference types="chrome" />
/** Between the page and the worker, in a world of its own. It outlives its extension: then it says so. */
import { isPosted, MARK, type Posted } from './inpage/channel.js'
import type { ToContent, ToWorker } from './messages.js'

function post(posted: Omit<Posted, 'mark' | 'to'>) {
  const whole: Posted = { ...posted, mark: MARK, to: 'page' }
  window.postMessage(whole, location.origin)
}

async function send(message: ToWorker) {
  // Without its extension nothing of it is left here, not even this.
  if (!chrome.runtime?.id) throw new Error('Extension context invalidated.')
  return chrome.runtime.sendMessage(message)
}

addEventListener('message', async ({ data, source }) => {
  if (source !== window || !isPosted(data, 'wallet')) return
  const { id = '', method = '', params } = data
  try {
    // Only that it was taken: the answer comes by itself, for the worker may be another one by then.
    await send({ type: 'call', id, method, params })
  } catch (error) {
    post({ id, error: { message: error instanceof Error ? error.message : 'Extension context invalidated.' } })
  }
})
chrome.runtime.onMessage.addListener((message: ToContent) => {
  post(message)
})
send({ type: 'hello' }).catch(() => {})
