/** What a send would cost and change, while the user is still filling it in. Nothing is signed. */
import type { KeybayError } from '@keybay/kernel'
import { useActiveAccount, useKeybay } from '@keybay/react'
import type { BuiltTransaction, SendInput, Simulation } from '../steps.js'
import { type Loaded, useLoaded } from './loaded.js'
import { useNetwork } from './network.js'
import { useSolana } from './solana.js'

/** ms without a change until the chain is asked: people type one character at a time. */
const TYPING_MS = 200

/** As text, so that an object made anew in each render is the same question. */
function textOf(input: SendInput): string {
  return JSON.stringify(input, (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value))
}

function useDraft<T>(
  input: SendInput | undefined,
  look: (built: BuiltTransaction, signal: AbortSignal) => Promise<T>,
): Loaded<T> {
  const solana = useSolana()
  const { clock } = useKeybay().config
  const { account } = useActiveAccount('solana')
  const { network } = useNetwork()
  const of = input && `${network?.networkId}|${account?.address}|${textOf(input)}`
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
  /** lamports; also known where the money does not suffice, and then `error` says so. */
  readonly fee: bigint | undefined
}

function feeIn(error: KeybayError | undefined): bigint | undefined {
  const details = error?.details
  if (typeof details !== 'object' || details === null || !('fee' in details)) return undefined
  return typeof details.fee === 'string' && /^\d+$/.test(details.fee) ? BigInt(details.fee) : undefined
}
/**
 * What a send would cost, priority fee among it; and, as `error`, why it could not go.
 *
 * @param input undefined while the form is not complete
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
 * Who would gain and lose what, for a page to show before the wallet is asked.
 *
 * @param input undefined while the form is not complete
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
