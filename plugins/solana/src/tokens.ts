/** Token accounts of a wallet, as parsed by the node. */
import type { Clock } from '@keybay/kernel'
import { addressInvalid, KeybayError } from '@keybay/kernel/spec'
import { isAddress } from './address.js'
import { POLL_LIVE_MS, POLL_MS } from './balance.js'
import type { Client } from './client.js'
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from './programs/addresses.js'
import { getTokenAccountsByOwner } from './rpc/calls.js'
import { at, toBigint, toNumber, toText } from './rpc/read.js'
import type { CallOptions, TokenAccount } from './steps.js'

const PROGRAMS = [TOKEN_PROGRAM, TOKEN_2022_PROGRAM] as const
/** Position of the owner in the data of a token account. */
const OWNER_OFFSET = 32

/** @param entry `{ pubkey, account }` with jsonParsed data. @throws KeybayError `rpc_malformed` */
export function readParsedToken(entry: unknown): TokenAccount {
  const info = at(entry, 'account', 'data', 'parsed', 'info')
  return {
    address: toText(at(entry, 'pubkey'), 'pubkey'),
    mint: toText(at(info, 'mint'), 'mint'),
    program: toText(at(entry, 'account', 'owner'), 'owner'),
    amount: toBigint(at(info, 'tokenAmount', 'amount'), 'amount'),
    decimals: toNumber(at(info, 'tokenAmount', 'decimals'), 'decimals'),
    frozen: at(info, 'state') === 'frozen',
  }
}
/** Returns SPL Token accounts first; includes empty accounts. @throws KeybayError `address_invalid` */
export async function getTokenAccounts(
  { rpc }: Client,
  owner: string,
  options: CallOptions,
): Promise<readonly TokenAccount[]> {
  if (!isAddress(owner)) throw new KeybayError(addressInvalid)
  const lists = await Promise.all(
    PROGRAMS.map(programId => getTokenAccountsByOwner(rpc, owner, { programId }, options)),
  )
  return lists.flat().map(readParsedToken)
}

/**
 * Calls the listener when a token account of the owner appears or changes: over the websocket, by polling while a node delivers
 * nothing, and by an occasional check in any case.
 */
export function watchTokenAccounts(
  { socket }: Client,
  owner: string,
  clock: Clock,
  signal: AbortSignal,
  listener: () => void,
): void {
  const live = new Set<string>()
  let cancel = () => {}
  const wait = () => {
    cancel()
    cancel = clock.after(live.size === PROGRAMS.length ? POLL_LIVE_MS : POLL_MS, emit)
  }
  const emit = () => {
    if (signal.aborted) return
    wait()
    listener()
  }
  const stops = PROGRAMS.map(program =>
    socket.subscribe({
      method: 'programSubscribe',
      params: [
        program,
        {
          commitment: 'confirmed',
          encoding: 'base64',
          dataSlice: { offset: 0, length: 0 },
          filters: [{ memcmp: { offset: OWNER_OFFSET, bytes: owner } }],
        },
      ],
      onValue: emit,
      onLive(now) {
        if (now) live.add(program)
        else live.delete(program)
        // Changes between the last read and the subscription.
        if (live.size === PROGRAMS.length) emit()
        else wait()
      },
    }),
  )
  signal.addEventListener('abort', () => {
    cancel()
    for (const stop of stops) stop()
  })
  wait()
}
