import type { ReactNode } from 'react'
import { useExplain } from './explain.js'

/** An error in words, whose texts load with the first error. */
export function Explained({ error }: { readonly error: unknown }): ReactNode {
  return useExplain()(error)
}
