/**
 * Prepares the first signature while the page is idle, so that it is as fast as later ones. Each step is short enough
 * to keep the frame responsive. Skips wallets with a password.
 */
import { warmUpBase } from '@keybay/waas/mpc'
import type { Frame } from '../core/frame.js'
import { whenIdle } from '../sign/signers.js'
import { openShare } from '../store/keep.js'

/** Performance mark that is set when the preparation is done, for measurements. */
const WARM = 'keybay-waas:warm'

function step(): Promise<void> {
  return new Promise(whenIdle)
}

async function prepareAll(frame: Frame, user: string): Promise<void> {
  await step()
  await frame.relayKeys()
  let isFirst = true
  for (const stored of await frame.store.list(user)) {
    if (stored.share.sealed.password || stored.creation || stored.retired || stored.chainName !== 'SOL') continue
    await step()
    if (isFirst) warmUpBase()
    isFirst = false
    await step()
    const { ready, release } = await frame.signers.lend(stored, undefined, () =>
      openShare(frame, stored, stored.share, undefined),
    )
    try {
      for (const precompute of ready.warmUp) {
        await step()
        precompute()
      }
    } finally {
      release()
    }
  }
  performance.mark(WARM)
}

/**
 * Prepares what needs no user, because the user may still sign in. Ignores errors: the operation that needs it tries
 * again.
 */
export function prepareFrame({
  relayKeys,
  store,
}: {
  readonly relayKeys: () => Promise<unknown>
  readonly store: { readonly open: () => Promise<unknown> }
}): void {
  relayKeys().catch(() => undefined)
  store.open().catch(() => undefined)
  whenIdle(warmUpBase)
}

/** Prepares in the background. Ignores errors, because the operation that needs the share fails with the same error. */
export function warmUp(frame: Frame, authToken: string): void {
  prepareAll(frame, frame.session.getUser(authToken)).catch(() => undefined)
}
