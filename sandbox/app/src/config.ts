/** What the server wrote into the page about this run. */
const readMeta = (name: string): string => {
  const content = document.querySelector(`meta[name="${name}"]`)?.getAttribute('content')
  if (!content) throw new Error(`The page has no <meta name="${name}">: serve it with the app's own server.`)
  return content
}

/** JSON-RPC of the local chain. */
export const chainUrl: string = readMeta('keybay:chain-url')
/** Its websocket. */
export const chainWsUrl: string = readMeta('keybay:chain-ws-url')
