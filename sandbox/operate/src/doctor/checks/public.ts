/** Checks of a service's public address: name, certificate, answer, clock, proxies. */
import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { connect } from 'node:tls'
import type { ServiceName } from '../../services.js'
import { type Check, Finding } from '../check.js'
import { request } from '../http.js'

/** Shortest remaining time of a certificate, in ms. */
const MIN_CERTIFICATE_MS = 7 * 24 * 3_600_000
/** Largest difference between two clocks, in ms. The services accept a minute; the header has whole seconds. */
const MAX_SKEW_MS = 5_000

export interface PublicAddress {
  readonly service: ServiceName
  readonly publicUrl: string
  /** Address below it that answers 200. */
  readonly probe: string
  /** Variable with the number of proxies, and its value. */
  readonly proxies?: { readonly variable: string; readonly value: string | undefined }
}

async function checkCertificate({ hostname, port }: URL): Promise<string> {
  const socket = connect({ host: hostname, port: Number(port) || 443, servername: hostname, rejectUnauthorized: false })
  try {
    await once(socket, 'secureConnect')
    const { valid_to: validTo } = socket.getPeerCertificate()
    const renew = `Renew the certificate of ${hostname}, and load it into the proxy.`
    if (Date.parse(validTo) - Date.now() < MIN_CERTIFICATE_MS)
      throw new Finding(`The certificate of ${hostname} ends on ${validTo}.`, renew)
    if (!socket.authorized)
      throw new Finding(
        `Browsers refuse the certificate of ${hostname}: ${socket.authorizationError}.`,
        `Give the proxy a certificate for ${hostname} from an authority that browsers trust, with its whole chain.`,
      )
    return `The certificate is valid until ${validTo}.`
  } finally {
    socket.destroy()
  }
}

async function checkClock(probe: string): Promise<string> {
  const before = Date.now()
  const response = await request(probe)
  const date = Date.parse(response.headers.get('date') ?? '')
  // The header has whole seconds.
  const skew = Math.max(before - date - 1_000, date - Date.now(), 0)
  if (Number.isNaN(date)) throw new Error(`${probe} sends no Date.`)
  if (skew > MAX_SKEW_MS)
    throw new Error(`Its clock and the clock of this machine differ by ${Math.round(skew / 1000)} s.`)
  return 'Its clock agrees with the clock of this machine.'
}

export function listPublicChecks({ service, publicUrl, probe, proxies }: PublicAddress): readonly Check[] {
  const url = new URL(publicUrl)
  const { hostname, origin } = url
  return [
    {
      service,
      name: 'dns',
      remedy: `Create a DNS record (A or AAAA) for ${hostname} with the address of the proxy.`,
      run: async () => `${hostname} is ${(await lookup(hostname)).address}.`,
    },
    { service, name: 'tls', remedy: `Let the proxy at ${origin} end TLS.`, run: () => checkCertificate(url) },
    {
      service,
      name: 'answers',
      remedy: `Start the service, and let the proxy at ${origin} forward to it.`,
      async run() {
        const { status } = await request(probe)
        if (status !== 200) throw new Error(`${probe} answers ${status}.`)
        return `${probe} answers.`
      },
    },
    {
      service,
      name: 'clock',
      remedy: `Synchronize the clocks of this machine and of ${hostname}, for example with chrony.`,
      run: () => checkClock(probe),
    },
    ...(proxies
      ? [
          {
            service,
            name: 'proxies',
            remedy: `Set ${proxies.variable} to the number of proxies in front of the service that add to X-Forwarded-For.`,
            async run() {
              if (!Number(proxies.value))
                throw new Error('No proxy is trusted, but a proxy ends TLS, so all users count as one address.')
              return `${proxies.value} trusted.`
            },
          },
        ]
      : []),
  ]
}
