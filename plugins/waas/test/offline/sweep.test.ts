/** A sweep that would move nothing. That it moves everything is seen on the chain: `sandbox/frame/test/disaster.test.ts`. */
import { ed25519 } from '@noble/curves/ed25519.js'
import { base58 } from '@scure/base'
import { expect, it } from 'vitest'
import { sweep } from '../../src/offline/index.js'

it('refuses to sweep to the wallet’s own address, and calls no node', async () => {
  const scalar = new Uint8Array(32).fill(9, 0, 31)
  const own = base58.encode(ed25519.Point.BASE.multiply(ed25519.Point.Fn.fromBytes(scalar)).toBytes())
  const asked: string[] = []
  const rpc = async (method: string): Promise<never> => {
    asked.push(method)
    throw new Error('no node is asked')
  }
  await expect(sweep({ scalar, to: own, rpc })).rejects.toThrow('the wallet’s own address')
  expect(asked).toEqual([])
})
