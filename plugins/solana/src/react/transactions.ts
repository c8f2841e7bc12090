import { type KeybayError, toKeybayError } from '@keybay/kernel'
import { useCallback, useEffect, useState } from 'react'
import type { TransactionRecord } from '../steps.js'
import { useSolana } from './solana.js'

export interface UseTransactions {
  /** Newest first: pending transactions, also from before a reload, and the results of this page's other ones. */
  readonly transactions: readonly TransactionRecord[]
  readonly pending: readonly TransactionRecord[]
  /** Set if the code failed to load. */
  readonly error: KeybayError | undefined
  /** Continues confirming pending transactions, e.g. when the network is back. Never rejects. */
  readonly resume: () => Promise<void>
}
/** @example const { pending } = useTransactions() */
export function useTransactions(): UseTransactions {
  const solana = useSolana()
  const [transactions, setTransactions] = useState<readonly TransactionRecord[]>([])
  const [error, setError] = useState<KeybayError>()
  const failed = useCallback((thrown: unknown) => setError(toKeybayError(thrown)), [])
  useEffect(() => {
    let off = () => {}
    let gone = false
    solana.steps().then(({ transactions: log }) => {
      if (gone) return
      off = log.subscribe(() => setTransactions(log.list()))
      setTransactions(log.list())
      void log.resume()
    }, failed)
    return () => {
      gone = true
      off()
    }
  }, [solana, failed])
  const resume = useCallback(
    () => solana.steps().then(({ transactions: log }) => log.resume(), failed),
    [solana, failed],
  )
  return { transactions, pending: transactions.filter(({ status }) => status === 'pending'), error, resume }
}
