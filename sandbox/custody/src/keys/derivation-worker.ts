/** Derives accounts in a thread of its own, so that a long path holds up no other user. See deriver.ts. */
import { parentPort } from 'node:worker_threads'
import { CustodyError } from '../http/errors.js'
import { addressOf, derive, getSeed } from './derive.js'
import type { DerivationAnswer, DerivationRequest } from './deriver.js'

function answer({ id, mnemonic, accounts }: DerivationRequest): DerivationAnswer {
  const seed = getSeed(mnemonic)
  try {
    const derived = accounts.map(({ curve, path, addressFormat }) => {
      const { privateKey, publicKey } = derive(seed, curve, path)
      return { curve, path, addressFormat, privateKey, publicKey, address: addressOf(publicKey, curve, addressFormat) }
    })
    return { id, derived }
  } catch (error) {
    if (!(error instanceof CustodyError)) throw error
    return { id, invalid: error.details }
  } finally {
    seed.fill(0)
  }
}

parentPort?.on('message', (request: DerivationRequest) => parentPort?.postMessage(answer(request)))
