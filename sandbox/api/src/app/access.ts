/** Authenticates the caller: checks what each kind of access requires, and returns what the route then knows. */
import { eq } from 'drizzle-orm'
import { findSession, readAccessToken } from '../accounts/token-session.js'
import { missingStep } from '../accounts/user-view.js'
import { apiTokens } from '../db/schema.js'
import type { AccessFacts, ActiveSession, Call } from '../http/call.js'
import {
  ApiError,
  forbidden,
  invalidProof,
  originNotAllowed,
  unauthorized,
  verificationRequired,
} from '../http/errors.js'
import { sameText, sha256 } from '../security/hashes.js'
import { proveKey, readProof } from '../security/proof.js'
import { getBearer } from '../security/tokens.js'

/** Interval in which the last use of an API token is written once, so that a busy server doesn't write its row each time. */
const MINUTE_MS = 60_000

type Authenticators = {
  readonly [A in keyof AccessFacts]: (call: Call, unfinished: boolean) => Promise<AccessFacts[A]>
}

async function activeSession(call: Call, unfinished: boolean): Promise<ActiveSession> {
  const session = await findSession(call, readAccessToken(call))
  if (!unfinished) {
    const step = await missingStep(call.services.db, call.environment, session.userId)
    if (step !== 'done') throw new ApiError(verificationRequired, { step })
  }
  return session
}

function isFrame({ environment, origin }: Call): boolean {
  return origin !== undefined && !environment.pageOrigins.has(origin)
}

const authenticators: Authenticators = {
  public: async () => ({}),
  key: async call => ({ key: await proveKey(call) }),
  proof: async call => ({ proof: readProof(call) }),
  bearer: async (call, unfinished) => ({ session: await activeSession(call, unfinished) }),
  token: async call => ({ token: readAccessToken(call) }),
  session: async (call, unfinished) => {
    const session = await activeSession(call, unfinished)
    const key = await proveKey(call)
    if (!sameText(key.thumbprint, session.thumbprint)) throw new ApiError(invalidProof, { reason: 'key' })
    return { session, key }
  },
  frame: async (call, unfinished) => {
    // Cookies are not accepted: a frame must have received the token itself.
    if (getBearer(call) === undefined) throw new ApiError(unauthorized)
    const { origin } = call
    if (origin === undefined || !isFrame(call)) throw new ApiError(originNotAllowed)
    return { session: await activeSession(call, unfinished), origin }
  },
  'frame-key': async (call, unfinished) => {
    const facts = await authenticators.frame(call, unfinished)
    const key = await proveKey(call)
    // The page holds the session's key.
    if (sameText(key.thumbprint, facts.session.thumbprint)) throw new ApiError(invalidProof, { reason: 'key' })
    return { ...facts, key }
  },
  'api-token': async call => {
    const { db, clock } = call.services
    const now = clock.now()
    const hash = sha256(getBearer(call) ?? '')
    const [token] = await db.select().from(apiTokens).where(eq(apiTokens.hash, hash))
    if (!token || token.expiresAt <= now) throw new ApiError(unauthorized)
    if (token.environmentId !== call.environment.id) throw new ApiError(forbidden)
    if (token.lastUsedAt === null || token.lastUsedAt < now - MINUTE_MS)
      await db.update(apiTokens).set({ lastUsedAt: now }).where(eq(apiTokens.id, token.id))
    return { scopes: token.scopes }
  },
  operator: async call => {
    const { keys } = call.services
    const hash = sha256(getBearer(call) ?? '')
    const isSent = (token: string) => sameText(hash, sha256(token))
    if (isSent(keys.getOperatorToken(call.environment.id))) return {}
    const isElsewhere = [keys.operatorToken, ...keys.operatorTokens.values()].some(isSent)
    throw new ApiError(isElsewhere ? forbidden : unauthorized)
  },
}

/**
 * @throws ApiError `unauthorized`, `forbidden`, `session_expired`, `invalid_proof`, `invalid_session_public_key`,
 * `verification_required`, `origin_not_allowed`
 */
export async function authenticate<A extends keyof AccessFacts>(access: A, call: Call, unfinished: boolean) {
  if (access !== 'frame' && access !== 'frame-key' && isFrame(call)) throw new ApiError(originNotAllowed)
  return authenticators[access](call, unfinished)
}
