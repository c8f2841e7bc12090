/** Maps URLs to pages, and is the only module that changes the URL. */
import { useSyncExternalStore } from 'react'

/** Pages of one wallet: `/wallets/{address}/…` */
const WALLET_PAGES = ['restore', 'export', 'drill', 'backup', 'delegates'] as const

export type Route =
  | {
      readonly page:
        | 'overview'
        | 'send'
        | 'receive'
        | 'sign'
        | 'account'
        | 'activity'
        | 'network'
        | 'explorer'
        | 'lab'
        | 'not-found'
    }
  | { readonly page: 'wallets' | 'new-wallet' | 'import-wallet' }
  | { readonly page: 'lost-device' }
  | { readonly page: 'custody' | 'recover-custody' }
  | { readonly page: 'export-custody'; readonly address: string }
  | { readonly page: 'wallet' | (typeof WALLET_PAGES)[number]; readonly address: string }
  | { readonly page: 'transaction'; readonly signature: string }
  | { readonly page: 'address'; readonly address: string }
  | { readonly page: 'block'; readonly slot: string }

/** @example parseRoute('/tx/5Sj…') // { page: 'transaction', signature: '5Sj…' } */
export function parseRoute(path: string): Route {
  const [first = '', second = '', third, ...more] = path.split('/').filter(Boolean)
  if (more.length) return { page: 'not-found' }
  if (third !== undefined) {
    if (first === 'custody' && third === 'export') return { page: 'export-custody', address: second }
    const page = first === 'wallets' ? WALLET_PAGES.find(name => name === third) : undefined
    return page ? { page, address: second } : { page: 'not-found' }
  }
  if (second) {
    if (first === 'tx') return { page: 'transaction', signature: second }
    if (first === 'address') return { page: 'address', address: second }
    if (first === 'block') return { page: 'block', slot: second }
    if (first === 'custody' && second === 'recover') return { page: 'recover-custody' }
    if (first === 'wallets') {
      if (second === 'new') return { page: 'new-wallet' }
      return second === 'import' ? { page: 'import-wallet' } : { page: 'wallet', address: second }
    }
    return { page: 'not-found' }
  }
  switch (first) {
    case '':
      return { page: 'overview' }
    case 'send':
    case 'receive':
    case 'sign':
    case 'account':
    case 'activity':
    case 'network':
    case 'explorer':
    case 'lab':
    case 'wallets':
    case 'lost-device':
    case 'custody':
      return { page: first }
    default:
      return { page: 'not-found' }
  }
}

const listeners = new Set<() => void>()

function tell(): void {
  for (const listener of [...listeners]) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  addEventListener('popstate', listener)
  return () => {
    listeners.delete(listener)
    removeEventListener('popstate', listener)
  }
}

/** Opens a page of this app, e.g. `/send`. */
export function navigate(path: string): void {
  if (path === location.pathname + location.search) return
  history.pushState(undefined, '', path)
  scrollTo(0, 0)
  tell()
}

export function usePath(): string {
  return useSyncExternalStore(
    subscribe,
    () => location.pathname,
    () => '/',
  )
}
