import { expect, it } from 'vitest'
import { findPath } from '../src/explorer/search.js'
import { parseRoute } from '../src/routing/router.js'

const address = 'So11111111111111111111111111111111111111112'
const signature = `${'1'.repeat(63)}C`

it.each([
  ['/', { page: 'overview' }],
  ['/send', { page: 'send' }],
  ['/send/', { page: 'send' }],
  ['/activity', { page: 'activity' }],
  ['/network', { page: 'network' }],
  ['/catalogue', { page: 'catalogue' }],
  ['/tx/abc', { page: 'transaction', signature: 'abc' }],
  ['/address/abc', { page: 'address', address: 'abc' }],
  ['/block/7', { page: 'block', slot: '7' }],
  ['/wallets', { page: 'wallets' }],
  ['/wallets/new', { page: 'new-wallet' }],
  ['/wallets/import', { page: 'import-wallet' }],
  ['/wallets/abc', { page: 'wallet', address: 'abc' }],
  ['/wallets/abc/delegates', { page: 'delegates', address: 'abc' }],
  ['/wallets/abc/else', { page: 'not-found' }],
  ['/custody', { page: 'custody' }],
  ['/custody/recover', { page: 'recover-custody' }],
  ['/custody/abc/export', { page: 'export-custody', address: 'abc' }],
  ['/custody/abc', { page: 'not-found' }],
  ['/tx', { page: 'not-found' }],
  ['/send/more', { page: 'not-found' }],
  ['/tx/a/b', { page: 'not-found' }],
  ['/constructor', { page: 'not-found' }],
])('%s opens the right page', (path, route) => expect(parseRoute(path)).toEqual(route))

it.each([
  [` ${address} `, `/address/${address}`],
  [signature, `/tx/${signature}`],
  ['447552000', '/block/447552000'],
  ['', undefined],
  ['hello', undefined],
  [`${address}0`, undefined],
  ['../send', undefined],
])('a search for “%s” leads to %s', (query, path) => expect(findPath(query)).toBe(path))
