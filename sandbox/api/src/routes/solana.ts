/** Optimizes Solana transactions on their way to a wallet (S7.1), and reports what the sponsor has paid. */
import { invalidTransaction, tooManyRequests, unableToFetchBalances, unsupportedChain } from '@keybay/kernel/spec'
import * as v from 'valibot'
import {
  ApiError,
  chainUnavailable,
  insufficientPrefund,
  noGasSponsoringPolicy,
  notFound,
  transactionWouldFail,
} from '../http/errors.js'
import { base64 } from '../http/fields.js'
import { type Route, routesOf } from '../http/route.js'
import { MAX_BYTES } from '../solana/draft.js'
import { optimize } from '../solana/optimize.js'
import { spentToday } from '../solana/spending.js'
import { sponsorAddress } from '../solana/sponsor.js'

const route = routesOf('solana')

const address = v.pipe(v.string(), v.regex(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/), v.description('Solana address, base58'))
const transaction = v.pipe(base64(4 * Math.ceil(MAX_BYTES / 3)), v.description('The wire format, base64'))

const optimizeTransaction = route('POST /solana/optimize', {
  summary: 'Adds a compute budget and a priority fee to an unsigned transaction, and the sponsor’s payment if asked.',
  access: 'session',
  body: v.strictObject({
    address: v.pipe(address, v.description('Who sends; must be one of its signers')),
    transaction,
    networkId: v.optional(
      v.pipe(v.number(), v.integer(), v.description('Mainnet (101), or the environment’s first network without it')),
    ),
    sponsor: v.optional(
      v.pipe(v.boolean(), v.description('The sponsor pays and signs, or the call is refused')),
      false,
    ),
  }),
  answer: v.object({ transaction }),
  errors: [
    tooManyRequests,
    unsupportedChain,
    invalidTransaction,
    transactionWouldFail,
    insufficientPrefund,
    noGasSponsoringPolicy,
    chainUnavailable,
    unableToFetchBalances,
  ],
  async run({ services, environment, network, session: { userId }, body }) {
    await services.limits.hit('transactions per user', userId)
    const bytes = Buffer.from(body.transaction, 'base64')
    const optimized = await optimize(services, environment, { ...body, userId, network, transaction: bytes })
    return { transaction: Buffer.from(optimized).toString('base64') }
  },
})

const sponsor = route('GET /solana/sponsor', {
  summary: 'The wallet that pays fees: where to send it money, and what it has promised today. For the host’s server.',
  access: 'api-token',
  scope: 'solana',
  answer: v.object({ address, spentToday: v.pipe(v.number(), v.description('lamports')), dailyLamports: v.number() }),
  errors: [notFound],
  async run({ services, environment }) {
    const { sponsorship } = environment.transactions
    if (!sponsorship) throw new ApiError(notFound)
    return {
      address: await sponsorAddress(services, environment.id),
      spentToday: await spentToday(services, environment.id),
      dailyLamports: sponsorship.dailyLamports,
    }
  },
})

export const solanaRoutes: readonly Route[] = [optimizeTransaction, sponsor]
