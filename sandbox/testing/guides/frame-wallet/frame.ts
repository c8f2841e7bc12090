/** Opens a message channel to the wallet's page in a frame. */

/** @returns stop, which removes the frame */
export type OpenWallet = (onPort: (port: MessagePort) => void) => () => void

export function walletFrame(url: string): OpenWallet {
  const { origin } = new URL(url)
  return onPort => {
    const frame = document.createElement('iframe')
    const onMessage = ({ source, origin: sender, data }: MessageEvent<unknown>) => {
      // Any page may post here. Only the wallet's own frame, still at its origin, is heard.
      if (source !== frame.contentWindow || sender !== origin) return
      if (data === 'acme:show' || data === 'acme:hide') frame.hidden = data === 'acme:hide'
      if (data !== 'acme:ready') return
      const { port1, port2 } = new MessageChannel()
      frame.contentWindow?.postMessage('acme:port', origin, [port2])
      onPort(port1)
    }
    addEventListener('message', onMessage)
    Object.assign(frame, { src: url, title: 'Acme', hidden: true })
    document.body.append(frame)
    return () => {
      removeEventListener('message', onMessage)
      frame.remove()
    }
  }
}
