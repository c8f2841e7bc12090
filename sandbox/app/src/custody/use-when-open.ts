/** Custody requests need a stamp: a page loads on its own only while its session key can sign without the user. */
import { useTurnkeySession } from '@keybay/turnkey/react'
import { useEffect } from 'react'

/** @param load stable; runs when the session is open, and again when it opens anew */
export function useWhenOpen(load: () => void): void {
  const isOpen = useTurnkeySession().state?.status === 'active'
  useEffect(() => {
    if (isOpen) load()
  }, [isOpen, load])
}
