/**
 * Tests the page's own storage, called by the frame: each response counts once, for its own request, within a time-out.
 */
import { fakeClock } from '@keybay/kernel/testing'
import type { Progress } from '@keybay/waas/protocol'
import { expect, it } from 'vitest'
import { createHostKeeper } from '../../src/page/backup/host-keeper.js'

const loadRequest = { action: 'load', walletId: 'w', epoch: 1, id: 'i' } as const

function begin() {
  const clock = fakeClock()
  const keeper = createHostKeeper(clock)
  const control = new AbortController()
  const said: Progress[] = []
  const ask = keeper.of({ signal: control.signal, progress: progress => said.push(progress), atEnd() {} })
  return { clock, keeper, control, said, ask, getRequest: (n: number) => said[n]?.external?.request ?? '' }
}

it('requests a backup in the operation’s progress, and accepts only the answer to that request', async () => {
  const { keeper, said, ask, getRequest } = begin()
  const [one, two] = [ask(loadRequest), ask({ ...loadRequest, epoch: 2 })]
  expect(said).toMatchObject([{ external: loadRequest }, { external: { epoch: 2 } }])
  keeper.answer({ chainName: 'SOL', request: 'unknown', envelope: Uint8Array.of(9) })
  keeper.answer({ chainName: 'SOL', request: getRequest(1), envelope: Uint8Array.of(2) })
  keeper.answer({ chainName: 'SOL', request: getRequest(0) })
  // A second answer has no pending request.
  keeper.answer({ chainName: 'SOL', request: getRequest(0), envelope: Uint8Array.of(1) })
  expect(await Promise.all([one, two])).toEqual([undefined, Uint8Array.of(2)])
})

it('a backup request to the host ends after a minute, on failure, and when the operation is aborted', async () => {
  const { clock, keeper, control, ask, getRequest, said } = begin()
  const slow = ask(loadRequest)
  const failed = ask(loadRequest)
  keeper.answer({ chainName: 'SOL', request: getRequest(1), failed: true })
  await expect(failed).rejects.toMatchObject({ code: 'frame_backup_host' })
  const ended = expect(slow).rejects.toMatchObject({ code: 'frame_backup_host' })
  await clock.advance(59_999)
  // Late, but before the time-out.
  const other = ask(loadRequest)
  await clock.advance(1)
  await ended
  control.abort()
  await expect(other).rejects.toMatchObject({ code: 'aborted' })
  const before = said.length
  await expect(ask(loadRequest)).rejects.toMatchObject({ code: 'aborted' })
  expect(said).toHaveLength(before)
})
