/** Chrome's permission for a page to talk to apps on the phone. */
import type { ConnectContext } from '@keybay/kernel'
import { mobileWalletBlocked } from '../errors.js'
import { createError } from './to-error.js'

/** A port that no app listens on. */
const UNUSED_ADDRESS = 'ws://localhost:65535'

async function readState(): Promise<PermissionState> {
  try {
    const { permissions } = navigator // the bundle replaces `navigator.permissions.query` for the adapter
    const name = 'loopback-network' as PermissionName // newer than its type
    return (await permissions.query({ name })).state
  } catch {
    return 'granted' // browsers without this permission reject its name
  }
}
/** Opens a socket, for which Chrome asks the user. */
function triggerPermissionPrompt(): Promise<void> {
  return new Promise(resolve => {
    const socket = new WebSocket(UNUSED_ADDRESS)
    socket.onopen = () => socket.close()
    socket.onerror = () => resolve()
    socket.onclose = () => resolve()
  })
}
/**
 * Chrome opens an app only in response to a click, and its permission prompt uses the click up. So `prompt`, if given, then asks
 * the user for another one.
 * @throws KeybayError `mobile_wallet_blocked`
 */
export async function requireLoopback(prompt?: ConnectContext['prompt']): Promise<void> {
  let state = await readState()
  if (state === 'prompt') {
    await triggerPermissionPrompt()
    state = await readState()
    if (state === 'granted')
      await prompt?.({
        type: 'choice',
        question: { id: 'mobile' },
        title: 'Connect your wallet app',
        options: [{ id: 'open', label: 'Open wallet' }],
      })
  }
  if (state === 'denied') throw createError(mobileWalletBlocked)
}
