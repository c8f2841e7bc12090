/** What the server wrote into the page about this run. */
function findMeta(name: string) {
  return document.querySelector(`meta[name="${name}"]`)?.getAttribute('content')
}

function readMeta(name: string): string {
  const content = findMeta(name)
  if (!content) throw new Error(`The page has no <meta name="${name}">: serve it with the app's own server.`)
  return content
}

/** JSON-RPC of the local chain. */
export const chainUrl: string = readMeta('keybay:chain-url')
/** Its websocket. */
export const chainWsUrl: string = readMeta('keybay:chain-ws-url')
/** The product API, with its version. */
export const apiUrl: string = readMeta('keybay:api-url')
/** Which environment of it. */
export const environmentId: string = readMeta('keybay:environment-id')
/** The origin of the wallet frame. */
export const frameUrl: string = readMeta('keybay:frame-url')
/** Key custody. */
export const custodyUrl: string = readMeta('keybay:custody-url')
/** The relay that it talks to. */
export const relayUrl: string = readMeta('keybay:relay-url')
/** The phone of the sandbox, where Phantom and Solflare are. */
export const phoneUrl: string = readMeta('keybay:phone-url')
/** Where Apple’s script is, if not at Apple: the sandbox has its own providers. */
export const appleScriptUrl: string | undefined = findMeta('keybay:apple-script-url') || undefined
/** Where the mail and SMS of the sandbox can be read, if anywhere. */
export const inboxUrl: string | undefined = findMeta('keybay:inbox-url') || undefined
