/** The login: an address, a code sent to it, and the proof that the code arrived. */
import type { AccountApi, Entrance } from '@keybay/account'
import type { ConnectContext, Credential } from '@keybay/kernel'
import { field, type KeybayError } from '@keybay/kernel/spec'
import { isAddressError, readAddress } from './address.js'
import { type Codes, createCodes } from './codes.js'
import type { Channel } from './plugin.js'

/** Sends a code to the given address; without one, asks the user until the address is valid. */
async function openCodes(
  channel: Channel,
  enter: () => Promise<Entrance>,
  address: unknown,
  { prompt }: ConnectContext,
): Promise<Codes> {
  const { method } = channel
  const open = async (input: unknown) => {
    const sentTo = readAddress(method, input)
    return createCodes(channel, await enter(), sentTo)
  }
  if (address !== undefined) return open(address)
  for (let error: KeybayError | undefined; ; ) {
    const typed = await prompt({ type: 'contact', method, error })
    try {
      return await open(typed)
    } catch (thrown) {
      if (!isAddressError(thrown)) throw thrown
      error = thrown
    }
  }
}
/** @throws KeybayError `email_cannot_be_null`, `invalid_email`, `invalid_phone`, `too_many_requests`, `user_rejected`, … */
export async function signIn(
  channel: Channel,
  account: AccountApi,
  input: unknown,
  ctx: ConnectContext,
): Promise<Credential> {
  ctx.signal.throwIfAborted()
  const { method } = channel
  let entrance: Promise<Entrance> | undefined
  /** Gets the entrance once; after a failure, the next call tries again. */
  const enter = () => {
    entrance ??= account.entrance(ctx)
    entrance.catch(() => {
      entrance = undefined
    })
    return entrance
  }
  const { submit, resend, getProof, sentTo, expiresAt } = await openCodes(channel, enter, field(input, method), ctx)
  const ticket = await ctx.prompt({ type: 'one-time-code', method, sentTo, digits: 6, expiresAt, submit, resend })
  return { method, proof: getProof(ticket) }
}
