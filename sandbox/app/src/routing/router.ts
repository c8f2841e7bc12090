/** Maps URLs to pages, and is the only module that changes the URL. */
import { useSyncExternalStore } from 'react'

const TOP_PAGES = [
  'send',
  'receive',
  'sign',
  'account',
  'activity',
  'network',
  'explorer',
  'lab',
  'catalogue',
  'wallets',
  'lost-device',
  'custody',
] as const
/** Pages of one wallet: `/wallets/{address}/…` */
const WALLET_PAGES = ['restore', 'export', 'drill', 'backup', 'delegates'] as const

export type Route =
  | { readonly page: (typeof TOP_PAGES)[number] }
  | { readonly page: 'overview' | 'new-wallet' | 'import-wallet' | 'recover-custody' | 'not-found' }
  | { readonly page: 'address' | 'wallet' | (typeof WALLET_PAGES)[number] | 'export-custody'; readonly address: string }
  | { readonly page: 'transaction'; readonly signature: string }
  | { readonly page: 'block'; readonly slot: string }

const NOT_FOUND: Route = { page: 'not-found' }

/** @example parseRoute('/tx/5Sj…') // { page: 'transaction', signature: '5Sj…' } */
export function parseRoute(path: string): Route {
  const [first, second, third, ...more] = path.split('/').filter(Boolean)
  if (more.length) return NOT_FOUND
  if (first === undefined) return { page: 'overview' }
  if (second === undefined) {
    const page = TOP_PAGES.find(name => name === first)
    return page ? { page } : NOT_FOUND
  }
  if (third !== undefined) {
    if (first === 'custody' && third === 'export') return { page: 'export-custody', address: second }
    const page = first === 'wallets' ? WALLET_PAGES.find(name => name === third) : undefined
    return page ? { page, address: second } : NOT_FOUND
  }
  switch (first) {
    case 'tx':
      return { page: 'transaction', signature: second }
    case 'address':
      return { page: 'address', address: second }
    case 'block':
      return { page: 'block', slot: second }
    case 'custody':
      return second === 'recover' ? { page: 'recover-custody' } : NOT_FOUND
    case 'wallets':
      if (second === 'new') return { page: 'new-wallet' }
      return second === 'import' ? { page: 'import-wallet' } : { page: 'wallet', address: second }
    default:
      return NOT_FOUND
  }
}

const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  addEventListener('popstate', listener)
  return () => {
    listeners.delete(listener)
    removeEventListener('popstate', listener)
  }
}

export function navigate(path: string): void {
  if (path === location.pathname + location.search) return
  history.pushState(undefined, '', path)
  scrollTo(0, 0)
  for (const listener of [...listeners]) listener()
}

export function usePath(): string {
  return useSyncExternalStore(subscribe, () => location.pathname)
}
