/** The whole login: an address, a code that is sent to it, and the proof that it arrived. */
import type { AccountApi, Entrance } from '@keybay/account'
import type { ConnectContext, Credential, KeybayError } from '@keybay/kernel'
import { addressOf } from './address.js'
import { type Codes, createCodes } from './codes.js'
import type { Channel, ChannelErrors } from './plugin.js'

/** The codes for the address given; without one the user is asked until it can be one. */
async function openCodes(
  channel: Channel,
  errors: ChannelErrors,
  enter: () => Promise<Entrance>,
  given: unknown,
  { prompt }: ConnectContext,
): Promise<Codes> {
  const open = async (address: unknown) => {
    const sentTo = addressOf(channel, errors, address)
    return createCodes(channel, errors, await enter(), sentTo)
  }
  if (given !== undefined) return open(given)
  const [KeybayError, ...wrong] = errors
  for (let error: KeybayError | undefined; ; ) {
    const typed = await prompt({ type: 'contact', method: channel.method, error })
    try {
      return await open(typed)
    } catch (thrown) {
      if (!(thrown instanceof KeybayError) || !wrong.some(({ code }) => code === thrown.code)) throw thrown
      error = thrown
    }
  }
}

/**
 * @throws KeybayError `email_cannot_be_null`, `invalid_email`, `invalid_phone`, `too_many_requests`, `user_rejected`, …
 */
export async function signIn(
  channel: Channel,
  errors: ChannelErrors,
  account: AccountApi,
  input: unknown,
  ctx: ConnectContext,
): Promise<Credential> {
  ctx.signal.throwIfAborted()
  const { method } = channel
  let entrance: Promise<Entrance> | undefined
  const enter = () => {
    entrance ??= account.entrance(ctx)
    return entrance
  }
  const given: unknown = Reflect.get(Object(input), method)
  const { submit, resend, proofOf, sentTo, expiresAt } = await openCodes(channel, errors, enter, given, ctx)
  const ticket = await ctx.prompt({ type: 'one-time-code', method, sentTo, digits: 6, expiresAt, submit, resend })
  return { method, proof: proofOf(ticket) }
}
