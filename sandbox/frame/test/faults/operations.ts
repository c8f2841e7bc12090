/** Operations of the fault matrix that a user does alone, or with a second device. */

import type { ThresholdSignatureScheme } from '@keybay/kernel/spec'
import { typeJoinCode } from '@keybay/sandbox-tools/testing/join-code'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { beginRestore, type Mode } from '../recover.js'
import { attempt, call, type Outcome } from '../user.js'
import type { Operation } from './matrix.js'
import { forgetShares } from './other-share.js'
import type { Stack } from './stack.js'
import {
  agreeing,
  backUp,
  type Change,
  changeShares,
  createWallet,
  drive,
  getScreen,
  getWallet,
  leave,
  look,
  makeWallet,
  signs,
  signsNot,
} from './wallets.js'

export async function creating(stack: Stack, scheme: ThresholdSignatureScheme): Promise<Operation> {
  const { page } = await stack.visit()
  let key = crypto.randomUUID()
  return {
    name: `create ${scheme}`,
    page,
    attempt: () => createWallet(page, scheme, key),
    async look() {
      const wallets = await call(page, 'wallets')
      // Each wallet was created once, and is whole.
      expect(wallets.map(({ here, backup }) => [here, backup.state])).toEqual(wallets.map(() => [true, 'current']))
      const newest = wallets.toSorted((a, b) => b.createdAt - a.createdAt)[0]
      if (newest) await signs(page, newest.accountAddress)
      return `${wallets.length}`
    },
    async again() {
      key = crypto.randomUUID()
    },
  }
}

interface Resharing {
  readonly from: ThresholdSignatureScheme
  readonly to: Change
}
export async function resharing(stack: Stack, { from, to }: Resharing): Promise<Operation> {
  const { page } = await stack.visit()
  const address = await makeWallet(page, from)
  return {
    name: to === 'refresh' ? `refresh ${from}` : `reshare ${from} to ${to}`,
    page,
    attempt: () => changeShares(page, address, to),
    look: () => look(page, address),
    ...(to !== 'refresh' && {
      async again() {
        expect(await changeShares(page, address, from)).toHaveProperty('value')
      },
    }),
  }
}

/** Backs up from the product API to the drive, so that both take part. */
export async function backingUp(stack: Stack): Promise<Operation> {
  const { page } = await stack.visit()
  const address = await makeWallet(page, 'TWO_OF_THREE')
  return {
    name: 'back up',
    page,
    attempt: () => backUp(page, address),
    async look() {
      expect((await getWallet(page, address)).backup).toMatchObject({ state: 'current' })
      return look(page, address)
    },
  }
}

/** A second device requests to join, and the first one deals for it. The frame that dies is the second device's. */
export async function addingDevice(stack: Stack): Promise<Operation> {
  const { page: old, user } = await stack.visit()
  const address = await makeWallet(old, 'THREE_OF_FIVE')
  const { page: fresh } = await stack.visit(user)
  return {
    name: 'add a device',
    page: fresh,
    async attempt() {
      await leave(old)
      await leave(fresh)
      const asking = attempt(fresh, 'addDevice', address)
      const shown = getScreen(fresh).locator('pre.code').textContent()
      const early = await Promise.race([asking, shown.catch(() => asking)])
      if (typeof early !== 'string') return early ?? asking
      await old.bringToFront()
      const admitting = attemptWithCode(old, address, early)
      const first = await Promise.race([asking, admitting])
      if ('value' in first) return asking
      // Ends the wait for the other device.
      await leave(fresh)
      await asking
      return first
    },
    look: () => lookAtBoth(old, fresh, address),
    again: () => forgetShares(fresh),
  }
}

/** Adds the new device as the user, if the attempt gets as far as the question. */
async function attemptWithCode(page: Page, address: string, code: string): Promise<Outcome> {
  const adding = attempt(page, 'addDevice', address)
  const screen = getScreen(page)
  const shown = screen.getByRole('heading', { name: 'Add this device?' }).waitFor()
  const isShown = await Promise.race([
    shown.then(
      () => true,
      () => false,
    ),
    adding.then(() => false),
  ])
  // A fault may take the question away, and the attempt reports why.
  if (isShown) await typeJoinCode(screen, code).catch(() => {})
  return agreeing(page, 'Add', adding)
}

/** @returns true, as text, once the new device has a share */
async function lookAtBoth(old: Page, fresh: Page, address: string): Promise<string> {
  await look(old, address)
  const { here } = await getWallet(fresh, address)
  if (here) await signs(fresh, address)
  return `${here}`
}

async function restore(page: Page, address: string, mode: Mode): Promise<Outcome> {
  await page.bringToFront()
  const restoring = beginRestore(page, address, mode, drive)
  return agreeing(page, mode === 'replace-device' ? 'Replace it' : 'Restore', restoring)
}

/** Restores in place of a lost device; two browsers take turns as that device. */
export async function restoring(stack: Stack): Promise<Operation> {
  const first = await stack.visit()
  let lost = first.page
  let { page: fresh } = await stack.visit(first.user)
  const address = await makeWallet(lost, 'THREE_OF_FIVE')
  expect(await backUp(lost, address)).toHaveProperty('value')
  return {
    name: 'restore in the place of a lost device',
    get page() {
      return fresh
    },
    attempt: () => restore(fresh, address, 'replace-device'),
    async look() {
      const { here, epoch } = await getWallet(fresh, address)
      if (!here) await look(lost, address)
      else {
        await signs(fresh, address)
        await signsNot(lost, address, 'the lost device')
      }
      return `${epoch} ${here}`
    },
    async again() {
      const restored = fresh
      fresh = lost
      lost = restored
    },
  }
}

/** Restores as one more device with its own set; the other device still works. */
export async function restoringOneMore(stack: Stack): Promise<Operation> {
  const { page: old, user } = await stack.visit()
  const { page: fresh } = await stack.visit(user)
  const address = await makeWallet(old, 'THREE_OF_FIVE')
  expect(await backUp(old, address)).toHaveProperty('value')
  return {
    name: 'restore as one more device',
    page: fresh,
    attempt: () => restore(fresh, address, 'add-device'),
    look: () => lookAtBoth(old, fresh, address),
    again: () => forgetShares(fresh),
  }
}
