/** What is asked of custody needs a stamp: by itself a page asks only while its session key signs without the user. */
import { useTurnkeySession } from '@keybay/turnkey/react'
import { useEffect } from 'react'

/** @param load stable; runs when the session is open, and again when it opens anew */
export function useWhenOpen(load: () => void): void {
  const isOpen = useTurnkeySession().state?.status === 'active'
  useEffect(() => {
    if (isOpen) load()
  }, [isOpen, load])
}
