/** Serves the documented responses of the 22 providers on this machine, below `/{provider}` and with ID tokens for the current flow. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sandboxClient } from '@keybay/sandbox-identity/clients'
import { DOCUMENTED, type Documented, type DocumentedError } from '@keybay/sandbox-identity/testing/documented'
import { PROVIDERS } from '@keybay/social/server'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'

/** Values that belong to one sign-in, so that no documentation can have them. */
export interface Current {
  readonly nonce: string
  /** In ms since epoch. */
  readonly now: number
  /** Fields that replace documented ones in responses, by path. */
  readonly more?: Readonly<Record<string, object>>
  readonly refusing?: DocumentedError | undefined
}

/** A host that resolves nowhere: the API must not call a public URL. */
const PUBLIC_URL = 'https://providers.invalid'

/** Returns the URL at which a browser would find an address of the provider. */
export function moved(provider: string, url: string): string {
  return url.replace(
    /^(https?:)\/\/[^/]+/,
    (_, scheme: string) => `${PUBLIC_URL.replace('https:', scheme)}/${provider}`,
  )
}

function movedAll(provider: string, document: object): object {
  return Object.fromEntries(Object.entries(document).map(([name, url]) => [name, moved(provider, String(url))]))
}

/** Paths of the providers' keys. */
const KEY_PATHS = /\/(?:keys|certs|jwks)$/

function findBody({ responses }: Documented, path: string, query: string): unknown {
  return responses[`${path}${query}`] ?? responses[path]
}

export async function startDocumentedProviders() {
  const { privateKey, publicKey } = await generateKeyPair('RS256')
  const keys = [{ ...(await exportJWK(publicKey)), kid: 'k', alg: 'RS256', use: 'sig' }]
  const current = new Map<string, Current>()

  const signed = ({ id, claims }: Documented, { nonce, now }: Current): Promise<string> => {
    const client = sandboxClient(id)
    const provider = PROVIDERS.find(other => other.id === id)
    const idToken = provider?.protocol === 'oauth2' ? provider.idToken : undefined
    const jwt = new SignJWT({ ...claims, ...(idToken?.nonce !== false && { nonce }) })
      .setIssuer(moved(id, String(claims?.iss)))
      .setAudience(client.id)
      .setIssuedAt(Math.floor(now / 1000))
      .setExpirationTime(Math.floor(now / 1000) + 3600)
    return idToken && idToken.jwks === undefined
      ? jwt.setProtectedHeader({ alg: 'HS256' }).sign(new TextEncoder().encode(client.secret))
      : jwt.setProtectedHeader({ alg: 'RS256', kid: 'k' }).sign(privateKey)
  }
  const respond = async (documented: Documented, path: string, query: string): Promise<[number, unknown]> => {
    const flow = current.get(documented.id)
    if (flow?.refusing?.path === path) return [flow.refusing.status, flow.refusing.body]
    if (KEY_PATHS.test(path)) return [200, { keys }]
    const body = findBody(documented, path, query)
    if (typeof body !== 'object' || body === null || Array.isArray(body)) return [body === undefined ? 404 : 200, body]
    if (path.endsWith('/openid-configuration')) return [200, movedAll(documented.id, body)]
    const idToken = 'id_token' in body && flow && { id_token: await signed(documented, flow) }
    return [200, { ...body, ...idToken, ...flow?.more?.[path] }]
  }
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost')
    const [, id = '', rest = ''] = /^\/(\w+)(?:\/\w+\.myshopify\.com)?(.*)$/.exec(url.pathname) ?? []
    const documented = DOCUMENTED.find(other => other.id === id)
    const [status, body] = documented ? await respond(documented, rest, url.search) : [404, undefined]
    response.writeHead(status, { 'content-type': typeof body === 'string' ? 'text/plain' : 'application/json' })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  })
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  return {
    publicUrl: PUBLIC_URL,
    internalUrl: `http://127.0.0.1:${port}`,
    /** Sets the flow that a provider's next responses belong to. */
    expect: (provider: string, flow: Current) => void current.set(provider, flow),
    stop: () => new Promise(done => server.close(done)),
  }
}
