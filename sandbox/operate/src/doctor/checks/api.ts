/** Checks of the API: its published keys, pages, relays, SMS, nodes and custody. */
import { type ApiDeployment, readDeployment } from '@keybay/sandbox-api/operated'
import type { Env } from '../../services.js'
import { type Check, Finding } from '../check.js'
import { getJson, postJson } from '../http.js'
import { checkMail, checkNode, comparePartyKeys, readAllowedOrigin, requireCors } from './shared.js'

const service = 'api'
/** A page that no operator has: `.invalid` is reserved. */
const FOREIGN_ORIGIN = 'https://page.invalid'

function listKids(jwks: unknown): readonly string[] {
  const { keys } = Object(jwks)
  return Array.isArray(keys) ? keys.map(key => String(Object(key).kid)).sort() : []
}

function checkJwks(url: string, expected: object): Check {
  return {
    service,
    name: 'jwks',
    remedy: 'Give every instance the same API_KEYS, and restart each.',
    async run() {
      const published = listKids(await getJson(`${url}/.well-known/jwks.json`))
      if (published.join() !== listKids(expected).join())
        throw new Error('The published keys are not those of API_KEYS.')
      return `${published.length} published: those of API_KEYS.`
    },
  }
}

function checkOrigins(url: string, origins: readonly string[]): Check {
  const settings = `${url}/settings`
  return {
    service,
    name: 'origins',
    remedy: 'Remove the CORS headers that the proxy adds, and restart every instance with this API_ENVIRONMENTS_FILE.',
    async run() {
      for (const origin of origins) await requireCors(settings, origin)
      const allowed = await readAllowedOrigin(settings, FOREIGN_ORIGIN)
      if (allowed === '*' || allowed === FOREIGN_ORIGIN) throw new Error('Pages of every origin may use it.')
      return `${origins.length} allowed, and no others.`
    },
  }
}

/** Posts a message without a recipient, which a gateway refuses. */
function checkSms(smsUrl: string): Check {
  const { host } = new URL(smsUrl)
  return {
    service,
    name: 'sms',
    remedy: 'Set SMS_URL to the address that takes POST { to, text }.',
    async run() {
      const { status } = await postJson(smsUrl, {})
      if (status === 401 || status === 403)
        throw new Finding(`${host} answers ${status}.`, 'Renew the password or token in SMS_URL.')
      if (status >= 500) throw new Finding(`${host} answers ${status}.`, `See the status page of the gateway ${host}.`)
      if (status !== 400 && status !== 422 && status >= 300) throw new Error(`${host} answers ${status}.`)
      return `${host} answers.`
    },
  }
}

function listRelayChecks({ relays, recordKeys }: ApiDeployment): readonly Check[] {
  return [
    ...relays.map(
      (url, index) =>
        ({
          service,
          name: `relay ${index + 1}`,
          remedy: `Set API_RELAY_URLS to the addresses of R1 and R2, in this order, and start R${index + 1}.`,
          async run() {
            const { party } = Object(await getJson(`${url}/party`))
            if (party !== `R${index + 1}`) throw new Error(`${url} is ${party ?? 'no relay'}.`)
            return `${url} is R${index + 1}.`
          },
        }) satisfies Check,
    ),
    ...(recordKeys && relays[0] !== undefined
      ? [
          {
            service,
            name: 'record keys',
            remedy:
              'Ask the operator of R1 for its record keys over a channel that you trust, and set API_RECORD_KEYS to them.',
            run: () => comparePartyKeys(relays[0] ?? '', { recordKeys }),
          } satisfies Check,
        ]
      : []),
  ]
}

export async function listApiChecks(env: Env, publicUrl: string): Promise<readonly Check[]> {
  const deployment = await readDeployment(env)
  const { environments, smsUrl, smtpUrl, custody } = deployment
  const networks = environments.flatMap(environment => environment.networks)
  const hasPhone = environments.some(({ signIn }) => signIn.phone)
  return [
    ...environments.flatMap(({ id, origins }) => {
      const url = `${publicUrl}/sdk/${id}`
      return [checkJwks(url, deployment.getJwks(id)), checkOrigins(url, [...origins])]
    }),
    ...listRelayChecks(deployment),
    checkMail(service, smtpUrl),
    ...(hasPhone ? [checkSms(smsUrl)] : []),
    ...networks.flatMap(({ name, rpcUrls, genesisHash }) =>
      rpcUrls.map(url => checkNode(service, { name, url, genesisHash })),
    ),
    ...(custody
      ? [
          {
            service,
            name: 'custody',
            remedy:
              'Start custody at CUSTODY_URL with the CUSTODY_ORGANIZATION_ID and CUSTODY_API_PUBLIC_KEY of this API, or set this API’s key to one that custody has.',
            run: async () => `Custody knows the key of the API in organization ${await custody()}.`,
          } satisfies Check,
        ]
      : []),
  ]
}
