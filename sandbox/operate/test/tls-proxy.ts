/** A proxy that ends TLS in front of a service, and breaks what a test names. */

// The library of certificates needs it.
import 'reflect-metadata'
import { webcrypto } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { createServer, type Server } from 'node:https'
import { freePort } from '@keybay/sandbox-tools/free-port'
import {
  BasicConstraintsExtension,
  PemConverter,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
} from '@peculiar/x509'

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
const DAY_MS = 24 * 3_600_000

export interface Certificate {
  readonly key: string
  readonly cert: string
}

export interface Authority {
  /** Makes a certificate for `localhost`. */
  issue(days: number): Promise<Certificate>
  /** Writes the authority's own certificate, for NODE_EXTRA_CA_CERTS. */
  write(file: string): void
}

async function makeKeys() {
  return webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])
}

/** Makes an authority that only programs with its certificate trust. */
export async function createAuthority(): Promise<Authority> {
  const keys = await makeKeys()
  const name = 'CN=Keybay test authority'
  const times = (days: number) => ({
    notBefore: new Date(Date.now() - DAY_MS),
    notAfter: new Date(Date.now() + days * DAY_MS),
  })
  const root = await X509CertificateGenerator.createSelfSigned({
    name,
    keys,
    signingAlgorithm: ALGORITHM,
    ...times(90),
    extensions: [new BasicConstraintsExtension(true, undefined, true)],
  })
  return {
    write: file => writeFileSync(file, root.toString('pem')),
    async issue(days) {
      const own = await makeKeys()
      const certificate = await X509CertificateGenerator.create({
        subject: 'CN=localhost',
        issuer: name,
        publicKey: own.publicKey,
        signingKey: keys.privateKey,
        signingAlgorithm: ALGORITHM,
        ...times(days),
        extensions: [new SubjectAlternativeNameExtension([{ type: 'dns', value: 'localhost' }])],
      })
      const pkcs8 = await webcrypto.subtle.exportKey('pkcs8', own.privateKey)
      return { cert: certificate.toString('pem'), key: PemConverter.encode(pkcs8, 'PRIVATE KEY') }
    },
  }
}

/** Fault of a proxy. */
export interface Mistakes {
  readonly status?: number
  /** Status of addresses that begin with this path only. */
  readonly path?: string
  readonly headers?: Readonly<Record<string, string>>
}

export interface TlsProxy {
  readonly origin: string
  readonly server: Server
  mistakes: Mistakes
}

/** Starts a proxy for a service on `target`. */
export async function startProxy(target: number, certificate: Certificate): Promise<TlsProxy> {
  const port = await freePort()
  const server = createServer({ ...certificate }, (incoming, outgoing) => {
    const { status, path = '/', headers } = proxy.mistakes
    if (status !== undefined && incoming.url?.startsWith(path)) return outgoing.writeHead(status).end()
    const forwarded = { ...incoming.headers, 'x-forwarded-for': incoming.socket.remoteAddress ?? '' }
    const { method, url } = incoming
    const inner = request({ host: '127.0.0.1', port: target, method, path: url, headers: forwarded }, answer => {
      outgoing.writeHead(answer.statusCode ?? 502, { ...answer.headers, ...headers })
      answer.pipe(outgoing)
    })
    inner.on('error', () => outgoing.writeHead(502).end())
    incoming.pipe(inner)
    return undefined
  })
  const proxy: TlsProxy = { origin: `https://localhost:${port}`, server, mistakes: {} }
  await new Promise<void>(resolve => server.listen(port, 'localhost', resolve))
  return proxy
}
