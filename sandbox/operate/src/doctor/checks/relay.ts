/** Checks of a relay: its peer, the API whose sign-ins it believes, its token there, and its node. */
import { readDeployment } from '@keybay/sandbox-relay/operated'
import type { Env } from '../../services.js'
import { type Check, Finding } from '../check.js'
import { getJson, postJson } from '../http.js'
import { checkNode, comparePartyKeys } from './shared.js'

type Service = 'r1' | 'r2'
type Deployment = ReturnType<typeof readDeployment>
type Environment = Deployment['environments'][number]

function checkSignIn(service: Service, { id, apiUrl }: Environment): Check {
  return {
    service,
    name: `sign-in ${id}`,
    remedy: `Set apiUrl of environment ${id} in RELAY_ENVIRONMENTS_FILE to the API, with /api/v0, and let this machine reach it.`,
    async run() {
      const { keys } = Object(await getJson(`${apiUrl}/sdk/${id}/.well-known/jwks.json`))
      if (!Array.isArray(keys) || keys.length === 0) throw new Error(`${apiUrl} publishes no keys.`)
      return `${apiUrl} publishes the keys of sign-ins.`
    },
  }
}

/** Redeems an MFA token that does not exist: the API looks at this relay's own token first. */
function checkToken(service: Service, { id, apiUrl, apiToken }: Environment, { unknownToken }: Deployment): Check {
  return {
    service,
    name: `API token ${id}`,
    remedy: `Make a token with the scope "mfa" at the API (POST …/sdk/${id}/api-tokens), and set RELAY_API_TOKEN to it.`,
    async run() {
      const response = await postJson(`${apiUrl}/sdk/${id}/mfa/tokens/redeem`, unknownToken, {
        authorization: `Bearer ${apiToken}`,
      })
      const { code } = Object(await response.json())
      if (code === 'too_many_requests')
        throw new Finding('The API has had too many requests of this token.', 'Run the doctor again in a minute.')
      if (code !== 'mfa_required') throw new Error(`The API answers ${response.status} ${code}.`)
      return 'The API accepts the token of this relay.'
    },
  }
}

export function listRelayChecks(service: Service, env: Env): readonly Check[] {
  const deployment = readDeployment(env, service === 'r1' ? 1 : 2)
  const { peerUrl, peerKeys, environments } = deployment
  const other = service === 'r1' ? 'R2' : 'R1'
  return [
    ...(peerUrl !== undefined && peerKeys
      ? [
          {
            service,
            name: 'peer',
            remedy: `Ask the operator of ${other} for its party.json over a channel that you trust, and set RELAY_PEER_KEYS to it; RELAY_PEER_URL is its address.`,
            run: () => comparePartyKeys(peerUrl, peerKeys),
          } satisfies Check,
        ]
      : []),
    ...environments.flatMap(environment => [
      checkSignIn(service, environment),
      checkToken(service, environment, deployment),
      checkNode(service, { name: environment.id, url: environment.rpcUrl, genesisHash: '' }),
    ]),
  ]
}
