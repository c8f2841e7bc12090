/** Lets a server sign for the user, then revokes the server. */
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { KeybayError } from '@keybay/kernel/spec'
import { createDelegate, createDelegateKeys, type DelegatedWallet, listingOf } from '@keybay/waas/delegate'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { attempt, type Outcome } from '../user.js'
import type { Operation } from './matrix.js'
import type { Stack } from './stack.js'
import { agreeing, getWallet, look, makeWallet } from './wallets.js'

const policy = { programs: [], messages: true }
/** Server that may sign for the wallet, in a process that no test kills. */
const delegateName = 'Salaries'

async function startDelegate(stack: Stack) {
  const keys = await createDelegateKeys()
  const listing = listingOf(delegateName, keys)
  await mkdir(dirname(stack.delegatesFile), { recursive: true })
  await writeFile(stack.delegatesFile, JSON.stringify([listing]))
  const delegate = createDelegate({
    keys,
    environmentId: 'local',
    relayUrl: stack.relayUrl,
    // Makes the server's requests count as steps of the operation, like the browser's.
    fetch: (url, init) => {
      const headers = new Headers(init?.headers)
      headers.set('user-agent', 'Chrome')
      return fetch(url, { ...init, headers })
    },
  })
  return { delegate, delegatePublicKey: new Uint8Array(Buffer.from(listing.sealingKey, 'base64url')) }
}

async function getOutcome(promise: Promise<unknown>): Promise<Outcome> {
  try {
    return { value: (await promise) ?? null }
  } catch (error) {
    return { code: error instanceof KeybayError ? error.code : String(error) }
  }
}

async function delegateTo(stack: Stack, page: Page) {
  const address = await makeWallet(page, 'THREE_OF_FIVE')
  const { delegate, delegatePublicKey } = await startDelegate(stack)
  let taken: DelegatedWallet | undefined
  let waiting: Uint8Array | undefined
  const accept = async (): Promise<Outcome> => {
    if (!waiting) throw new Error('nothing to accept')
    const outcome = await getOutcome(
      delegate.accept(waiting, async wallet => {
        taken = wallet
      }),
    )
    if ('value' in outcome) waiting = undefined
    return outcome
  }
  const delegating = async (): Promise<Outcome> => {
    // Retry a share that the user's page delivered and the server has not accepted yet.
    if (waiting) return accept()
    const asking = attempt(page, 'delegateKeyShares', address, { delegatePublicKey, delegateName, policy })
    const outcome = await agreeing(page, 'Allow', asking)
    const sealedShare: unknown = Reflect.get(Object(outcome.value), 'sealedShare')
    if (!(sealedShare instanceof Uint8Array)) return outcome
    waiting = sealedShare
    return accept()
  }
  const active = async () =>
    (await getWallet(page, address)).sets.find(({ kind, revoked }) => kind === 'delegate' && !revoked)
  /** Revokes as a page does: finds the delegate in the list. */
  const revoking = (): Promise<Outcome> => {
    const revoked = page.evaluate(address => {
      const { outcome, keybay } = window.host
      const revoke = async () => {
        const wallet = (await keybay.waas.wallets()).find(({ accountAddress }) => accountAddress === address)
        const set = wallet?.sets.find(({ kind, revoked }) => kind === 'delegate' && !revoked)
        if (!set) throw new Error('no set to revoke')
        return keybay.waas.revokeSet(address, set.setId)
      }
      return outcome(revoke())
    }, address)
    return agreeing(page, 'Revoke', revoked)
  }
  return {
    delegating,
    revoking,
    /** Checks that the wallet signs, and that the server signs exactly when it is a delegate. */
    async look() {
      await look(page, address)
      const set = await active()
      const message = new TextEncoder().encode(crypto.randomUUID())
      if (set) {
        // The server's share is on its disk before the relays know.
        expect(taken?.setId).toBe(set.setId)
        if (waiting) await accept()
        waiting = undefined
      }
      if (taken) {
        const outcome = await getOutcome(delegate.signMessage(taken, message))
        if (set) expect(outcome, 'the delegate does not sign').toHaveProperty('value')
        else expect(outcome, 'two epochs: the delegate cannot sign').toHaveProperty('code')
      }
      return set ? 'a delegate' : 'none'
    },
  }
}

export async function delegating(stack: Stack): Promise<Operation> {
  const { page } = await stack.visit()
  const { delegating: attempt, revoking, look } = await delegateTo(stack, page)
  const again = async () => expect(await revoking()).toHaveProperty('value')
  return { name: 'delegate', page, attempt, look, again }
}

export async function revoking(stack: Stack): Promise<Operation> {
  const { page } = await stack.visit()
  const { delegating, revoking: attempt, look } = await delegateTo(stack, page)
  const again = async () => expect(await delegating()).toHaveProperty('value')
  await again()
  return { name: 'revoke', page, attempt, look, again }
}
