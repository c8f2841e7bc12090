/** Cost and effects of a send while the user is still filling in the form. Signs nothing. */
import type { KeybayError } from '@keybay/kernel'
import { useActiveAccount, useKeybay } from '@keybay/react'
import type { BuiltTransaction, SendInput, Simulation } from '../steps.js'
import { type Loaded, useLoaded } from './loaded.js'
import { useNetwork } from './network.js'
import { useSolana } from './solana.js'

/** Time without input before a request is sent, in ms, because users type one character at a time. */
const TYPING_MS = 200

/** Compares inputs as text, so that a new object with the same content in each render causes no new request. */
function serialize(input: SendInput): string {
  return JSON.stringify(input, (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value))
}

function useDraft<T>(input: SendInput | undefined, look: (built: BuiltTransaction, signal: AbortSignal) => Promise<T>) {
  const solana = useSolana()
  const { clock } = useKeybay().config
  const { account } = useActiveAccount('solana')
  const { network } = useNetwork()
  const of = input && `${network?.networkId}|${account?.address}|${serialize(input)}`
  return useLoaded(
    of,
    async signal => {
      if (!input) throw new Error('nothing to look up')
      const { build } = await solana.steps()
      return look(await build(input, { signal, preview: true }), signal)
    },
    begin => clock.after(TYPING_MS, begin),
  )
}

export interface UseFee extends Omit<Loaded<bigint>, 'data'> {
  /** Fee in lamports; also set if funds are insufficient, which `error` reports. */
  readonly fee: bigint | undefined
}

function feeIn(error: KeybayError | undefined): bigint | undefined {
  const details = error?.details
  if (typeof details !== 'object' || details === null || !('fee' in details)) return undefined
  return typeof details.fee === 'string' && /^\d+$/.test(details.fee) ? BigInt(details.fee) : undefined
}
/**
 * Returns the cost of a send, including the priority fee, and as `error` the reason why it would fail.
 * @param input undefined while the form is incomplete
 * @example const { fee, error } = useFee(to && lamports ? { to, lamports, priority: 'medium' } : undefined)
 */
export function useFee(input: SendInput | undefined): UseFee {
  const solana = useSolana()
  const { data, ...rest } = useDraft(input, async (built, signal) => {
    const { fee } = await solana.steps()
    return (await fee(built, { signal })).fee
  })
  return { ...rest, fee: data ?? feeIn(rest.error) }
}

export interface UseSimulation extends Omit<Loaded<Simulation>, 'data'> {
  readonly simulation: Simulation | undefined
}
/**
 * Returns the balance changes of a send, to show before the wallet opens.
 * @param input undefined while the form is incomplete
 * @example
 * const { simulation } = useSimulation({ to, token, amount })
 * simulation?.changes.map(({ owner, before, after, token }) => …)
 */
export function useSimulation(input: SendInput | undefined): UseSimulation {
  const solana = useSolana()
  const { data, ...rest } = useDraft(input, async (built, signal) => {
    const { simulate } = await solana.steps()
    return simulate(built, { signal })
  })
  return { ...rest, simulation: data }
}
