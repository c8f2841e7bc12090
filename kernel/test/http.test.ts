import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createHttp } from '../src/http.js'
import { VERSION } from '../src/index.js'
import { host } from './helpers.js'

let answer: (response: ServerResponse) => void = response => response.end('{}')
let seen:
  | { method: string | undefined; url: string | undefined; headers: IncomingHttpHeaders; body: string }
  | undefined
const server = createServer((request, response) => {
  let body = ''
  request.on('data', chunk => {
    body += chunk
  })
  request.on('end', () => {
    seen = { method: request.method, url: request.url, headers: request.headers, body }
    answer(response)
  })
})
let base = ''
beforeAll(async () => {
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  base = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/api/v0/`
})
afterAll(() => {
  server.close()
})

function client(token?: string) {
  const { kernel } = host([], { baseApiUrl: base })
  return createHttp({ config: kernel.config, session: { ...kernel.session, bearer: async () => token } })
}

describe('the product API client', () => {
  it('[S7.2][S9.12] sends JSON, the bearer token while it is valid, and version headers', async () => {
    answer = response => response.end('{"ok":true}')
    expect(await client('t')('/sdk/e/x', { body: { a: 1 } })).toEqual({ ok: true })
    expect(seen).toMatchObject({
      method: 'POST',
      url: '/api/v0/sdk/e/x',
      body: '{"a":1}',
      headers: {
        'content-type': 'application/json',
        authorization: 'Bearer t',
        'x-keybay-version': VERSION,
        'x-keybay-api-version': 'v0',
      },
    })
    await client()('/x')
    expect(seen?.method).toBe('GET')
    expect(seen?.headers.authorization).toBeUndefined()
    await client('t')('/x', { anonymous: true })
    expect(seen?.headers.authorization).toBeUndefined()
  })
  it('[S3.9] keeps the error code and message of the server, known or unknown', async () => {
    answer = response => response.writeHead(418).end('{"code":"never_heard_of","message":"Tea","details":{"x":1}}')
    await expect(client()('/x')).rejects.toMatchObject({
      name: 'KeybayError',
      code: 'never_heard_of',
      message: 'Tea',
      status: 418,
      details: { x: 1 },
    })
  })
  it.each(['<html>', '', '[]', '{"code":7,"message":{}}'])(
    'reports the malformed error response %j as request_failed',
    async body => {
      answer = response => response.writeHead(502).end(body)
      await expect(client()('/x')).rejects.toMatchObject({
        code: 'request_failed',
        message: 'Cannot proceed with your request',
        status: 502,
      })
    },
  )
  it('[S8.3] Cannot proceed with your request: rejects without a response, and without an API', async () => {
    answer = response => response.destroy()
    await expect(client()('/x')).rejects.toThrow(/^Cannot proceed with your request$/)
    const { kernel } = host()
    await expect(createHttp(kernel)('/x')).rejects.toMatchObject({
      message: expect.stringContaining('baseApiUrl not set'),
    })
  })
  it('reports origin_not_allowed when the API refuses the page’s origin, which browsers hide after a preflight', async () => {
    // A browser sends no request after a failed preflight, and shows the page nothing of it.
    answer = response => {
      if (seen?.headers['x-keybay-version']) response.destroy()
      else
        response.writeHead(403).end('{"code":"origin_not_allowed","message":"This page may not use the environment."}')
    }
    await expect(client('t')('/sdk/e/x', { body: { a: 1 } })).rejects.toMatchObject({
      code: 'origin_not_allowed',
      message: 'This page may not use the environment.',
      status: 403,
    })
    expect(seen).toMatchObject({ method: 'GET', url: '/api/v0/sdk/e/x', body: '' })
    expect(seen?.headers.authorization).toBeUndefined()
  })
  it('a page that has read a response sends nothing more after a lost request', async () => {
    const call = client('t')
    answer = response => response.end('{}')
    await call('/x')
    let requests = 0
    answer = response => {
      requests++
      response.destroy()
    }
    await expect(call('/x', { body: {} })).rejects.toMatchObject({ code: 'request_failed' })
    expect(requests).toBe(1)
  })
  it.each([
    [200, '{"ok":true}'],
    [401, '{"code":"unauthorized","message":"Sign in first."}'],
    [403, '<html>'],
  ])(
    'reports request_failed for a lost request, whatever the API answers to a plain one: %i %s',
    async (status, body) => {
      answer = response => {
        if (seen?.headers['x-keybay-version']) response.destroy()
        else response.writeHead(status).end(body)
      }
      await expect(client('t')('/x')).rejects.toMatchObject({ code: 'request_failed' })
    },
  )
  it('aborts a request by its signal', async () => {
    answer = () => {}
    const control = new AbortController()
    const gone = expect(client()('/x', { signal: control.signal })).rejects.toMatchObject({ name: 'AbortError' })
    control.abort()
    await gone
  })
})
