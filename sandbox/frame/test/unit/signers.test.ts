/** Tests leases of shares in memory, which several operations use at once. */
import { randomUUID } from 'node:crypto'
import { getHeapSnapshot } from 'node:v8'
import * as mpc from '@keybay/waas/mpc'
import { ed25519 } from '@noble/curves/ed25519.js'
import { expect, it } from 'vitest'
import { createSigners } from '../../src/page/sign/signers.js'
import type { KeptSet } from '../../src/page/store/kept.js'
import { dealShares, getShare, type Shares } from './shares.js'

const message = new TextEncoder().encode('pay 1 SOL')
/** Returns a set as stored on the disk, and its share as opened from there. */
function kept(shares: Shares): Pick<KeptSet, 'setId' | 'share'> {
  const { setId, epoch } = getShare(shares, 'C').set
  const sealed = { iv: Uint8Array.of(1), data: new Uint8Array() }
  return { setId, share: { epoch, set: new Uint8Array(), sealed } }
}

function open(shares: Shares): mpc.KeyShare {
  const share = getShare(shares, 'C')
  return { ...share, secret: share.secret.slice() }
}

function getAnswer(shares: Shares, attempt: mpc.FrameAttempt): mpc.SignAnswer {
  const received = [attempt.commitment]
  const request = new TextEncoder().encode('request-1')
  const signing = mpc.nobleCoSigner.begin({ share: getShare(shares, 'R1'), request, message, received })
  return signing.sign([...received, signing.commitment])
}

function isErased({ secret }: mpc.KeyShare): boolean {
  return secret.every(byte => byte === 0)
}

it('signs with a share that warming up opened a second time', async () => {
  const shares = dealShares()
  const set = kept(shares)
  const signers = createSigners()
  const signing = signers.lend(set, undefined, async () => open(shares))
  let opened = (_: mpc.KeyShare) => {}
  const warming = signers.lend(set, undefined, () => new Promise(resolve => (opened = resolve)))
  const lease = await signing
  const attempt = lease.ready.begin(message)
  const answer = getAnswer(shares, attempt)
  opened(open(shares))
  const other = await warming
  const signature = attempt.finish([answer])
  expect(ed25519.verify(signature, message, mpc.groupKey(getShare(shares, 'C').set))).toBe(true)
  lease.release()
  expect(isErased(lease.ready.share)).toBe(true)
  other.release()
  expect(isErased(other.ready.share)).toBe(false)
})

it('erases a forgotten share when its last lease ends, and does not lend it again', async () => {
  const shares = dealShares()
  const set = kept(shares)
  const signers = createSigners()
  const lend = () => signers.lend(set, undefined, async () => open(shares))
  const [first, second] = [await lend(), await lend()]
  expect(second.ready).toBe(first.ready)
  const attempt = first.ready.begin(message)
  signers.forget()
  const signature = attempt.finish([getAnswer(shares, attempt)])
  expect(ed25519.verify(signature, message, mpc.groupKey(getShare(shares, 'C').set))).toBe(true)
  first.release()
  expect(isErased(first.ready.share)).toBe(false)
  const next = await lend()
  expect(next.ready).not.toBe(first.ready)
  second.release()
  expect(isErased(second.ready.share)).toBe(true)
})

/** Returns everything in this process's memory as text. */
async function readMemory(): Promise<string> {
  const parts: string[] = []
  for await (const part of getHeapSnapshot()) parts.push(String(part))
  return parts.join('')
}

it('keeps no password in memory while the share is ready, and still tells a wrong one', async () => {
  const shares = dealShares()
  const set = kept(shares)
  const signers = createSigners()
  // This test itself keeps the passwords backwards only.
  const backwards = [randomUUID(), randomUUID()]
  const getPassword = (index: number) => [...(backwards[index] ?? '')].reverse().join('')
  const lend = (index: number, opens: () => Promise<mpc.KeyShare>) => signers.lend(set, getPassword(index), opens)
  const lease = await lend(0, async () => open(shares))
  const wrong = { password: getPassword(1) }
  const memory = await readMemory()
  // The search finds a password that something keeps.
  expect(memory.includes(wrong.password)).toBe(true)
  expect(memory.includes(getPassword(0))).toBe(false)
  const opened: string[] = []
  const opens = async () => {
    opened.push('again')
    return open(shares)
  }
  expect((await lend(0, opens)).ready).toBe(lease.ready)
  expect(opened).toEqual([])
  expect((await lend(1, opens)).ready).not.toBe(lease.ready)
  expect(opened).toEqual(['again'])
})

it('erases a share without a lease at once', async () => {
  const shares = dealShares()
  const { setId, ...rest } = kept(shares)
  const signers = createSigners()
  const lease = await signers.lend({ setId, ...rest }, undefined, async () => open(shares))
  lease.release()
  expect(isErased(lease.ready.share)).toBe(false)
  signers.forget(setId)
  expect(isErased(lease.ready.share)).toBe(true)
})

it('opens the share again after a wrong password, so that memory does not reveal the right one', async () => {
  const shares = dealShares()
  const set = kept(shares)
  const signers = createSigners()
  let tried = 0
  // Counts as password/limit.ts does: each try calls it, except tries that are answered from memory.
  const lend = (password: string) =>
    signers.lend(set, password, async () => {
      tried++
      if (password !== 'right') throw new Error('wrong, or too often')
      return open(shares)
    })
  const lease = await lend('right')
  expect((await lend('right')).ready).toBe(lease.ready)
  expect(tried).toBe(1)
  await expect(lend('wrong')).rejects.toThrow()
  await lend('right')
  expect(tried).toBe(3)
  // A signature in progress goes on.
  const attempt = lease.ready.begin(message)
  const signature = attempt.finish([getAnswer(shares, attempt)])
  expect(ed25519.verify(signature, message, mpc.groupKey(getShare(shares, 'C').set))).toBe(true)
})
