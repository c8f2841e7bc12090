/**
 * So that the first signature is as quick as the others: what it needs is made while nothing else is to do, in steps of
 * which none holds the frame up. A wallet with a password is left alone.
 */
import type { Frame } from '../frame.js'
import { whenIdle } from '../sign/idle.js'
import { openShare } from '../store/keep.js'

const step = (): Promise<void> => new Promise(whenIdle)

const prepareAll = async (frame: Frame, user: string): Promise<void> => {
  await step()
  await frame.relayKeys()
  for (const kept of await frame.store.list(user)) {
    if (kept.share.sealed.password || kept.creation) continue
    await step()
    const ready = await frame.signers.ready(kept, undefined, () => openShare(frame, kept, kept.share, undefined))
    await step()
    ready.prepare()
  }
}

/** Nobody waits for it, and what fails here fails again where somebody does. */
export const warmUp = (frame: Frame, authToken: string): void => {
  prepareAll(frame, frame.session.userOf(authToken)).catch(() => undefined)
}
