import { Failure, type FailureProps } from '@keybay/react/ui'
import type { ReactNode } from 'react'
import { useSlots } from './slots.js'

/** Shows that content could not be loaded, in the host's words if the host has some. */
export function NotLoaded(props: FailureProps): ReactNode {
  const { failure } = useSlots()
  return failure ? failure(props) : <Failure {...props} />
}
