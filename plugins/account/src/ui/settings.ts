import { useEffect, useState } from 'react'
import { useAccount } from '../react/account.js'
import type { Settings } from '../settings.js'

/** Delay before a failed load is retried, in ms. */
const RETRY_MS = 3000

interface SettingsState {
  readonly settings?: Settings | undefined
  readonly error?: unknown
}

/** Loads the environment's settings, and tries again after a failure. */
export function useSettings(): SettingsState {
  const account = useAccount()
  const [state, setState] = useState<SettingsState>({})
  useEffect(() => {
    const controller = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    const load = async () => {
      try {
        const settings = await account.settings({ signal: controller.signal })
        if (!controller.signal.aborted) setState({ settings })
      } catch (error) {
        if (controller.signal.aborted) return
        setState({ error })
        timer = setTimeout(() => void load(), RETRY_MS)
      }
    }
    void load()
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [account])
  return state
}
