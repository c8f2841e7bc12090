import { writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import {
  closeServer,
  dataFolder,
  isLocalRequest,
  isLocalUrl,
  isStandInRequest,
  listen,
  MovableClock,
  PortTakenError,
  Variables,
} from '../src/index.js'
import { MAIL_FROM, publicUrlSetting } from '../src/settings.js'
import { temporaryFolder } from './temporary-folder.js'

const ask = { service: 'demo', variable: 'DEMO_PORT', port: 0, host: '127.0.0.1' }

function readVariables(env: NodeJS.ProcessEnv): Variables {
  return new Variables(env, 'demo')
}

describe('environment', () => {
  it('integer reads whole numbers in range, and names the variable in the error otherwise', () => {
    expect(readVariables({}).integer('DEMO_PORT', 7, [0, 9])).toBe(7)
    expect(readVariables({ DEMO_PORT: '' }).integer('DEMO_PORT', 7, [0, 9])).toBe(7)
    expect(readVariables({ DEMO_PORT: '3' }).integer('DEMO_PORT', 7, [0, 9])).toBe(3)
    for (const wrong of ['10', '-1', '1.5', 'x', 'NaN', ' ', '0x1', '1e0', '+1'])
      expect(() => readVariables({ DEMO_PORT: wrong }).integer('DEMO_PORT', 7, [0, 9])).toThrow(
        /demo: DEMO_PORT .* 0 to 9/,
      )
  })

  it('url accepts only allowed schemes, and never repeats a value that may hold a password', () => {
    const read = (text?: string) => readVariables({ DEMO_URL: text }).url('DEMO_URL', undefined, ['smtp:', 'smtps:'])
    expect([read(), read(''), read('smtp://u:p@h')]).toEqual([undefined, undefined, 'smtp://u:p@h'])
    expect(readVariables({ DEMO_URL: '' }).url('DEMO_URL', 'http://a')).toBe('http://a')
    for (const wrong of ['secret', 'http://u:secret@h', '//secret', 'h:5432/secret'])
      expect(() => read(wrong)).toThrow(/^demo: DEMO_URL must be an address that begins with smtp:\/\/ or smtps:\/\/$/)
  })

  it('url needs a host, and a user and password that can be read', () => {
    const read = (text: string) => readVariables({ DEMO_URL: text }).url('DEMO_URL', '', ['smtp:', 'smtps:'])
    expect(read('smtps://u:p%40@mail.acme.example')).toBe('smtps://u:p%40@mail.acme.example')
    for (const wrong of ['smtps://', 'smtps://u:secret%zz@mail.acme.example', 'smtps:mail'])
      expect(() => read(wrong), wrong).toThrow(/^demo: DEMO_URL must be an address that begins with smtp:/)
  })

  it.each([
    ['https://api.acme.example/api/v0', true],
    ['https://api.acme.example:8443/', true],
    ['http://api.acme.example', false],
    ['https://u:secret@api.acme.example', false],
    ['https://*.acme.example', false],
    ['https://api.acme.example:0', false],
    ['https://0.0.0.0', false],
    ['https://[::]:8443', false],
    ['https://[2001:db8::1]:8443', true],
    ['https://api.acme.example/?a=1', false],
    ['https://api.acme.example/#a', false],
    ['https://api.acme.example:443', false],
    ['HTTPS://api.acme.example', false],
    ['https:api.acme.example', false],
    [' https://api.acme.example', false],
  ])('a public URL of production may be %s: %s', (url, isGood) => {
    const problems = publicUrlSetting('https://api.acme.example').findProblems?.(url) ?? []
    expect([problems.length === 0, problems.join().includes('secret')]).toEqual([isGood, false])
  })

  it.each([
    ['Acme <no-reply@acme.example>', true],
    ['no-reply@acme.example', true],
    ['Acme', false],
    ['Acme <acme.example>', false],
    ['a@acme.example\r\nBcc: b@acme.example', false],
  ])('the sender of mail may be %j: %s', (sender, isGood) =>
    expect(MAIL_FROM.findProblems?.(sender)).toHaveLength(isGood ? 0 : 1),
  )

  it('database accepts several hosts, and never repeats a value that may hold a password', () => {
    const read = (text: string) => readVariables({ DEMO_URL: text }).database('DEMO_URL')
    expect(read('')).toBeUndefined()
    for (const right of ['postgres://u:p@h/d', 'postgresql://u:p,@one:5432,two:5433/d?target_session_attrs=read-write'])
      expect(read(right)).toBe(right)
    for (const wrong of ['secret', 'mysql://u:secret@h,i/d', 'postgres://u:secret@h:x,i/d', 'postgres://u:secret@h,/d'])
      expect(() => read(wrong)).toThrow(
        /^demo: DEMO_URL must be an address that begins with postgres:\/\/ or postgresql:\/\/$/,
      )
    // Each would be read as another host, of which messages quote a part of the password, or stop the program.
    for (const unencoded of ['p@secret', '12/secret', '12?secret', '12#secret', 'secret%zz'])
      expect(() => read(`postgres://u:${unencoded}@one:5432,two:5432/d`), unencoded).toThrow(
        /^demo: DEMO_URL(?: must be an address that begins with postgres:\/\/ or postgresql:\/\/|: write % @ \/ \? # in its user and password as %25 %40 %2F %3F %23)$/,
      )
    expect(() => read('postgres://u:secret@one,[::1]:5432/d')).toThrow('demo: DEMO_URL: its driver reads no IPv6')
  })

  it('APP_ORIGINS lets the user’s own pages use the sandbox', () => {
    const defaultOrigins = ['http://app.localhost:4000', 'http://localhost:4000', 'http://127.0.0.1:4000']
    expect(readVariables({}).pageOrigins()).toEqual(defaultOrigins)
    const more = 'http://app.localhost:5173, https://acme.example,http://localhost:4000'
    expect(readVariables({ APP_ORIGINS: more }).pageOrigins()).toEqual([
      ...defaultOrigins,
      'http://app.localhost:5173',
      'https://acme.example',
    ])
    expect(readVariables({ DEMO_ORIGINS: ' ,' }).origins('DEMO_ORIGINS')).toBeUndefined()
    for (const wrong of ['localhost', 'https://acme.example/', '*', 'null'])
      expect(() => readVariables({ APP_ORIGINS: wrong }).pageOrigins()).toThrow(`demo: APP_ORIGINS: an origin is`)
  })

  it('isOn accepts “on” and “off”, and no other value', () => {
    expect([{}, { DEMO: '' }, { DEMO: 'on' }].map(env => readVariables(env).isOn('DEMO'))).toEqual([
      undefined,
      undefined,
      true,
    ])
    expect(readVariables({ DEMO: 'off' }).isOn('DEMO')).toBe(false)
    for (const wrong of ['false', '0', 'no', 'OFF'])
      expect(() => readVariables({ DEMO: wrong }).isOn('DEMO')).toThrow('DEMO must be on or off')
  })

  it('dataFolder finds the data folder from the repository or from KEYBAY_DATA_DIR', () => {
    const root = temporaryFolder()
    writeFileSync(join(root, 'package-lock.json'), '{}')
    expect(dataFolder({}, 'demo', join(root, 'sandbox', 'demo'))).toBe(join(root, '.keybay', 'demo'))
    expect(dataFolder({ KEYBAY_DATA_DIR: '/data' }, 'demo', root)).toBe('/data/demo')
  })
})

describe('listen', () => {
  const servers: ReturnType<typeof createServer>[] = []
  const server = (listener?: RequestListener) => {
    const httpServer = createServer(listener)
    servers.push(httpServer)
    return httpServer
  }
  afterEach(() => Promise.all(servers.splice(0).map(server => closeServer(server, 0))))

  it('listens on any free port for port 0, and names the service and the variable when the port is taken', async () => {
    const port = await listen(server(), ask)
    expect(port).toBeGreaterThan(0)
    const second = listen(server(), { ...ask, port })
    await expect(second).rejects.toThrow(PortTakenError)
    await expect(second).rejects.toThrow(`demo cannot start: port ${port} is taken by another program. Set DEMO_PORT`)
  })

  it('closeServer lets a running request finish before the server closes', async () => {
    let finish: () => void = () => undefined
    const httpServer = server((_, response) => {
      finish = () => response.end('whole')
      response.writeHead(200)
      response.flushHeaders()
    })
    const port = await listen(httpServer, ask)
    const response = await fetch(`http://127.0.0.1:${port}`)
    const closed = closeServer(httpServer)
    finish()
    expect(await response.text()).toBe('whole')
    await closed
    await expect(fetch(`http://127.0.0.1:${port}`)).rejects.toThrow()
  })
})

it('MovableClock runs ahead of another clock, and resets to it', () => {
  const clock = new MovableClock({ now: () => 1_000 })
  clock.advance(500)
  expect(clock.now()).toBe(1_500)
  clock.reset()
  expect(clock.now()).toBe(1_000)
})

it.each([
  ['http://localhost:1', true],
  ['https://api.app.localhost/x', true],
  ['http://127.0.0.1', true],
  ['http://127.255.1.2', true],
  ['http://2130706433', true],
  ['http://[::1]:1', true],
  ['https://acme.example', false],
  ['http://localhost.acme.example', false],
  ['http://127.0.0.1.acme.example', false],
  ['http://mylocalhost', false],
  ['http://10.0.0.1', false],
  ['http://0.0.0.0', false],
  ['not an address', false],
])('isLocalUrl: %s is on this machine: %s', (url, isLocal) => expect(isLocalUrl(url)).toBe(isLocal))

describe('a stand-in', () => {
  const answers = (headers: Record<string, string>) => isStandInRequest({ header: name => headers[name] })

  it.each([
    'localhost:1',
    'identity.localhost',
    '127.0.0.1',
    '[::1]:1',
    '10.0.2.2:4000',
    '192.168.1.9',
    '172.20.0.3',
    '[fd00::1]',
  ])('a stand-in answers requests for the host %s', host => expect(answers({ host })).toBe(true))

  it.each(['acme.example', '203.0.113.7', '172.32.0.1', '10.0.0.1.acme.example', '[2001:db8::1]', ''])(
    'a stand-in does not answer requests for the host "%s", directly or behind a proxy',
    host => {
      expect(answers({ host })).toBe(false)
      expect(answers({ host: '127.0.0.1:4000', 'x-forwarded-host': host })).toBe(false)
    },
  )
})

describe('a request from this machine', () => {
  const from = (remoteAddress: string, headers: Record<string, string>) =>
    isLocalRequest({ remoteAddress, header: name => headers[name], headerNames: Object.keys(headers) })

  it.each([
    ['127.0.0.1', { host: 'localhost:1' }],
    ['::1', { host: '[::1]:1' }],
    ['127.8.9.1', { host: '127.8.9.1:1' }],
    ['::ffff:127.0.0.1', { host: 'api.app.localhost:1', origin: 'http://app.localhost:2' }],
  ])('a request from %s with %o counts as local', (address, headers) => expect(from(address, headers)).toBe(true))

  it.each([
    ['10.0.0.1', { host: 'localhost' }],
    ['127.0.0.1', {}],
    ['127.0.0.1', { host: 'evil.example' }],
    ['127.0.0.1', { host: 'localhost.evil.example' }],
    ['127.0.0.1', { host: 'localhost', origin: 'https://evil.example' }],
    ['127.0.0.1', { host: 'localhost', origin: 'null' }],
    ['127.0.0.1', { host: 'localhost', 'x-forwarded-for': '127.0.0.1' }],
    ['127.0.0.1', { host: 'localhost', forwarded: 'for=1.2.3.4' }],
    ['127.0.0.1', { host: 'localhost', via: '1.1 proxy' }],
    ['127.0.0.1', { host: 'localhost', 'x-real-ip': '127.0.0.1' }],
    ['127.0.0.1', { host: 'localhost', 'x-forwarded-proto': 'https' }],
    ['127.0.0.1', { host: 'localhost', 'x-forwarded-anything': '' }],
  ])('a request from %s with %o does not count as local', (address, headers) =>
    expect(from(address, headers as Record<string, string>)).toBe(false),
  )
})
