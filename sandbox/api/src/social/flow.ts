/** A flow is begun by a session key and ended once by the same key. It is a ceremony whose secret is the state. */
import type { Answers, SocialProfile } from '@keybay/social/server'
import { and, eq, gt, isNull, sql } from 'drizzle-orm'
import * as v from 'valibot'
import { begin, consume } from '../accounts/ceremonies.js'
import { ceremonies } from '../db/schema.js'
import type { Call } from '../http/call.js'
import { sameText, sha256 } from '../security/hashes.js'
import { notVerified, sessionOver, stateMismatch } from './fault.js'
import type { ActiveProvider } from './registry.js'

const socialFlowSchema = v.object({
  provider: v.string(),
  nonceHash: v.optional(v.string()),
  codeChallenge: v.string(),
  /** Page that the browser returns to. */
  redirectUrl: v.string(),
  /** Redirect URI sent to the provider; the API's own address for `form_post`. */
  redirectUri: v.string(),
  /** Requested scopes, which are also the granted ones unless the tokens say otherwise (RFC 6749 §5.1). */
  scopes: v.optional(v.array(v.string()), []),
  shop: v.optional(v.string()),
  /** Channel of Farcaster's relay; sealed. */
  channel: v.optional(v.string()),
  /** Value of `user` from a `form_post`; sealed. */
  form: v.optional(v.string()),
})
export type FlowData = v.InferOutput<typeof socialFlowSchema>

const FLOW_LIFETIME = 10 * 60_000

const KIND = 'social'

export function beginFlow(call: Call, thumbprint: string, stateHash: string, data: FlowData) {
  return begin(call, {
    kind: KIND,
    thumbprint,
    lifetime: FLOW_LIFETIME,
    secretHash: () => stateHash,
    data: { ...data },
  })
}

/** Secrets known only to the client that began the flow. */
export interface FlowProof {
  readonly flowId: string
  readonly state: string
  readonly nonce?: string | undefined
  readonly codeVerifier: string
}

export interface EndedFlow extends FlowData {
  /** Value sent to the provider as `state`. */
  readonly stateHash: string
}

/** @throws ApiError `session_timeout`, `oauth_state_mismatch`, `telegram_state_mismatch`, `verification_error` */
export async function endFlow(call: Call, thumbprint: string, provider: string, proof: FlowProof): Promise<EndedFlow> {
  const ceremony = await consume(call, { id: proof.flowId, kind: KIND, thumbprint })
  const data = v.safeParse(socialFlowSchema, ceremony?.data)
  if (!ceremony?.secretHash || !data.success || data.output.provider !== provider) throw sessionOver(provider)
  if (!sameText(sha256(proof.state), ceremony.secretHash)) throw stateMismatch(provider)
  const { codeChallenge, nonceHash } = data.output
  if (!sameText(sha256(proof.codeVerifier), codeChallenge)) throw notVerified('verifier')
  if (nonceHash !== undefined && !sameText(sha256(proof.nonce ?? ''), nonceHash)) throw notVerified('nonce')
  return { ...data.output, stateHash: ceremony.secretHash }
}

/** Returns the open flow of a state, for a response that the browser posts to this service (`form_post`). */
export async function flowOfState(
  { services, environment }: Pick<Call, 'services' | 'environment'>,
  provider: string,
  stateHash: string,
): Promise<{ readonly id: string; readonly data: FlowData } | undefined> {
  const [row] = await services.db
    .select()
    .from(ceremonies)
    .where(
      and(
        eq(ceremonies.secretHash, stateHash),
        // As text: a prepared statement with a value would not use the partial index.
        sql`${ceremonies.kind} = 'social'`,
        eq(ceremonies.environmentId, environment.id),
        isNull(ceremonies.consumedAt),
        gt(ceremonies.expiresAt, services.clock.now()),
      ),
    )
  const data = v.safeParse(socialFlowSchema, row?.data)
  return row && data.success && data.output.provider === provider ? { id: row.id, data: data.output } : undefined
}

export async function keepForm(call: Pick<Call, 'services'>, id: string, data: FlowData): Promise<void> {
  await call.services.db
    .update(ceremonies)
    .set({ data: { ...data } })
    .where(eq(ceremonies.id, id))
}

export interface ProviderTokens {
  readonly accessToken: string
  readonly refreshToken?: string | undefined
  readonly scope?: string | undefined
  /** In ms since epoch. */
  readonly expiresAt?: number | undefined
}

export interface ProvedAccount {
  readonly profile: SocialProfile
  readonly tokens?: ProviderTokens | undefined
}

/** Data that a protocol collects, before the mapping turns it into a profile. */
export interface Learned {
  readonly answers: Answers
  readonly tokens?: ProviderTokens | undefined
}

export interface Attempt {
  readonly call: Call
  readonly active: ActiveProvider
  readonly flow: EndedFlow
  readonly params: Readonly<Record<string, string>>
  readonly codeVerifier: string
}
