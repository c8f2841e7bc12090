import type { CreateOnLogin } from '@keybay/waas'

/** Reads a meta element in which the server wrote this run's configuration. */
function findMeta(name: string) {
  return document.querySelector(`meta[name="${name}"]`)?.getAttribute('content')
}

function readMeta(name: string): string {
  const content = findMeta(name)
  if (!content) throw new Error(`The page has no <meta name="${name}">: serve it with the app's own server.`)
  return content
}

export const chainUrl: string = readMeta('keybay:chain-url')
export const chainWsUrl: string = readMeta('keybay:chain-ws-url')
export const apiUrl: string = readMeta('keybay:api-url')
export const environmentId: string = readMeta('keybay:environment-id')
export const frameUrl: string = readMeta('keybay:frame-url')
export const custodyUrl: string = readMeta('keybay:custody-url')
export const relayUrl: string = readMeta('keybay:relay-url')
export const phoneUrl: string = readMeta('keybay:phone-url')
const CREATE_ON_LOGIN: readonly CreateOnLogin[] = ['users-without-wallets', 'all-users', 'off']
/** Users for whom signing in creates a wallet; undefined for the kit's default. */
export const createOnLogin: CreateOnLogin | undefined = CREATE_ON_LOGIN.find(
  value => value === findMeta('keybay:create-on-login'),
)
/** URL of Apple's script, when it is not Apple's own: the sandbox has its own providers. */
export const appleScriptUrl: string | undefined = findMeta('keybay:apple-script-url') || undefined
/** URL of the sandbox inbox for email and SMS, if there is one. */
export const inboxUrl: string | undefined = findMeta('keybay:inbox-url') || undefined
