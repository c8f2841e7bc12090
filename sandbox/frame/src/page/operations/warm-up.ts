/**
 * So that the first signature is as quick as the others: what it needs is made while nothing else is to do, in steps of
 * which none holds the frame up. A wallet with a password is left alone.
 */
import { warmUpBase } from '@keybay/waas/mpc'
import type { Frame } from '../core/frame.js'
import { whenIdle } from '../sign/idle.js'
import { openShare } from '../store/keep.js'

/** In the frame's timeline when it is done, for who measures. */
const WARM = 'keybay-waas:warm'

function step(): Promise<void> {
  return new Promise(whenIdle)
}

async function prepareAll(frame: Frame, user: string): Promise<void> {
  await step()
  await frame.relayKeys()
  let isFirst = true
  for (const kept of await frame.store.list(user)) {
    if (kept.share.sealed.password || kept.creation || kept.retired || kept.chainName !== 'SOL') continue
    await step()
    if (isFirst) warmUpBase()
    isFirst = false
    await step()
    const { ready, release } = await frame.signers.lend(kept, undefined, () =>
      openShare(frame, kept, kept.share, undefined),
    )
    try {
      await step()
      ready.prepare()
      for (const one of ready.warmUp) {
        await step()
        one()
      }
    } finally {
      release()
    }
  }
  performance.mark(WARM)
}

/** Runs in the background. An error here occurs again in the operation that needs the share. */
export function warmUp(frame: Frame, authToken: string): void {
  prepareAll(frame, frame.session.userOf(authToken)).catch(() => undefined)
}
