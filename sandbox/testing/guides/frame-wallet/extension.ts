/** Opens a message channel to the content script of an extension. */
import type { OpenWallet } from './frame.js'

export function walletExtension(): OpenWallet {
  return onPort => {
    const onMessage = ({ source, data, ports: [port] }: MessageEvent<unknown>) => {
      if (source !== window || data !== 'acme:port' || !port) return
      removeEventListener('message', onMessage)
      onPort(port)
    }
    addEventListener('message', onMessage)
    // The content script answers with a port. If it loads later, it posts the port by itself.
    postMessage('acme:hello', location.origin)
    return () => removeEventListener('message', onMessage)
  }
}
