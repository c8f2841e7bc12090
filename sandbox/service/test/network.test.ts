/** Tells clients apart by the networks that they send from. */
import { Hono } from 'hono'
import { expect, it } from 'vitest'
import { getNetwork, getSite, networkReader } from '../src/http/index.js'

const PROXY = '10.0.0.1'

it.each([
  ['192.0.2.1', '192.0.2.1'],
  ['192.0.2.1:5001', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['[::ffff:c000:201]:443', '192.0.2.1'],
  ['2001:db8:1:2:3::4', '2001:db8:1:2::/64'],
  ['2001:DB8:0001:0002:ffff:0:0:1', '2001:db8:1:2::/64'],
  ['[2001:db8:1:2::1]', '2001:db8:1:2::/64'],
  ['[2001:db8:1:2::1]:8443', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::1%eth0', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::192.0.2.1', '2001:db8:1:2::/64'],
])('reads %s as %s, from a proxy and from the connection', (written, network) => {
  expect(getNetwork(PROXY, written, 1)).toBe(network)
  expect(getNetwork(written, undefined, 0)).toBe(network)
})

it.each([
  '',
  'unknown',
  '_hidden',
  '1',
  '0x7f.1',
  '2130706433',
  '192.0.2',
  '192.0.2.1:x',
  '[192.0.2.1',
  'a::b::c',
  '::g',
])('counts %j, which is no address, for the proxy that wrote it', written =>
  expect(getNetwork(PROXY, written, 1)).toBe(PROXY),
)

it('believes only what a trusted proxy added, and no header with fewer addresses than proxies', () => {
  expect(getNetwork(PROXY, '198.51.100.1, 192.0.2.1', 1)).toBe('192.0.2.1')
  expect(getNetwork(PROXY, '198.51.100.1, 192.0.2.1, 10.0.0.2', 2)).toBe('192.0.2.1')
  expect(getNetwork(PROXY, '198.51.100.1', 2)).toBe(PROXY)
  expect(getNetwork(PROXY, '198.51.100.1', 0)).toBe(PROXY)
  expect(getNetwork(undefined, undefined, 0)).toBe('unknown')
})

it('a site is an IPv6 /48 or an IPv4 address', () => {
  expect(getSite('2001:db8:1:2::/64')).toBe('2001:db8:1::/48')
  expect(getSite('2001:db8:1:ffff::/64')).toBe('2001:db8:1::/48')
  expect(getSite('192.0.2.1')).toBe('192.0.2.1')
  expect(getSite('unknown')).toBe('unknown')
})

it('warns once about the header of a proxy that it was not told of', async () => {
  const lines: object[] = []
  const read = networkReader({ trustedProxies: 0, log: line => lines.push(line) })
  const app = new Hono().get('/', c => c.text(read(c)))
  const connection = { incoming: { socket: { remoteAddress: PROXY } } }
  const ask = async (headers: Record<string, string>) => (await app.request('/', { headers }, connection)).text()
  expect(await ask({})).toBe(PROXY)
  expect(lines).toEqual([])
  for (let count = 0; count < 2; count++) expect(await ask({ 'x-forwarded-for': '192.0.2.1' })).toBe(PROXY)
  expect(lines).toEqual([
    expect.objectContaining({ level: 'warn', message: expect.stringMatching(/^X-Forwarded-For ignored/) }),
  ])
})
