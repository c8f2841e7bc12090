/** Logs the type, outcome and duration of each operation for the option `debug` (S3.6). Never its request or result. */
import type { Kernel } from '@keybay/kernel'
import { toKeybayError } from '@keybay/kernel/spec'
import type { Perform } from './operations.js'

export function withDebug(perform: Perform, { clock, logger }: Pick<Kernel, 'clock' | 'logger'>): Perform {
  return async (type, request, options) => {
    const start = clock.now()
    const say = (outcome: string) => logger.debug('waas operation', { type, outcome, ms: clock.now() - start })
    try {
      const answer = await perform(type, request, options)
      say('done')
      return answer
    } catch (error) {
      say(toKeybayError(error).code)
      throw error
    }
  }
}
