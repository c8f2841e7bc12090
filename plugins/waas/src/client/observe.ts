/** Reports how work began and ended, for the events of operations and messages. */
import { toKeybayError } from '@keybay/kernel/spec'

export interface Ending {
  readonly state: 'succeeded' | 'failed'
  readonly errorCode?: string | undefined
}

export async function observe<T>(run: () => Promise<T>, onEnd: (ending: Ending) => void): Promise<T> {
  try {
    const result = await run()
    onEnd({ state: 'succeeded' })
    return result
  } catch (error) {
    onEnd({ state: 'failed', errorCode: toKeybayError(error).code })
    throw error
  }
}
