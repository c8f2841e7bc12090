/** Measures the node traffic of one transfer of each kind: SOL and tokens, with and without a priority fee. */
import { Connection, Keypair, PublicKey } from '@solana/web3.js'
import { countingProxy, getCost, measureOne } from './counting-proxy.mjs'

/** @typedef {import('./counting-proxy.mjs').Cost & { name: string }} KindCost */

/** A page that offers a speed shows its cost before the user sends. */
const [SOL, SOL_SOON, TOKEN, TOKEN_NEW, TOKEN_SOON, TOKEN_SOON_UNSEEN] = [
  'SOL',
  'SOL, with a priority',
  'a token',
  'a token, the account is made',
  'a token, with a priority',
  // The account's recent fees have not been requested before.
  'a token, with a priority, no fee shown before',
]
export const KINDS = [SOL, SOL_SOON, TOKEN, TOKEN_NEW, TOKEN_SOON, TOKEN_SOON_UNSEEN]
const LAMPORTS = 1_000_000n

function stranger() {
  return Keypair.generate().publicKey.toBase58()
}

/** @param {import('@keybay/sandbox-chain').Chain} chain @param {string} owner @returns {Promise<string>} the mint */
async function mintFor(chain, owner) {
  const body = JSON.stringify({ owner, symbol: 'BENCH', decimals: 6, amount: '1000000000' })
  const response = await fetch(`${chain.url}/admin/mint`, { method: 'POST', body })
  const { mint } = await response.json()
  if (typeof mint !== 'string') throw new Error('the chain has minted nothing')
  return mint
}

/**
 * @param {import('@keybay/sandbox-chain').Chain} chain
 * @param {import('./transfer-kits.mjs').Kit} kit a kit that can send more than SOL
 * @param {number} turns
 * @returns {Promise<readonly KindCost[]>}
 */
export async function measureKinds(chain, kit, turns) {
  const proxy = await countingProxy(chain)
  const sender = await kit.open(proxy)
  const { order, preview } = sender
  if (!order || !preview) throw new Error(`${kit.name} sends SOL alone`)
  try {
    await new Connection(chain.url).requestAirdrop(new PublicKey(sender.address), 100e9)
    const token = await mintFor(chain, sender.address)
    const friend = stranger()
    // Equal transfers in one slot would have to be made distinct, which makes the second transaction longer.
    let amount = 0n
    const some = () => {
      amount += 1n
      return amount
    }
    /** @type {readonly (readonly [name: string, input: () => import('@keybay/solana').SendInput])[]} */
    const kinds = [
      [SOL, () => ({ to: stranger(), lamports: LAMPORTS })],
      [SOL_SOON, () => ({ to: stranger(), lamports: LAMPORTS, priority: 'high' })],
      [TOKEN, () => ({ to: friend, token, amount: some() })],
      [TOKEN_NEW, () => ({ to: stranger(), token, amount: some() })],
      [TOKEN_SOON, () => ({ to: stranger(), token, amount: some(), priority: 'high' })],
      [TOKEN_SOON_UNSEEN, () => ({ to: stranger(), token, amount: some(), priority: 'high' })],
    ]
    await order({ to: friend, token, amount: some() }) // the friend's account exists after this transfer
    const costs = []
    for (const [name, input] of kinds) {
      /** @type {import('./counting-proxy.mjs').Transfer[]} */
      const all = []
      while (all.length < turns) {
        const transferInput = input()
        if (name === TOKEN_SOON) await preview(transferInput)
        all.push(await measureOne(proxy.counts, () => order(transferInput)))
      }
      costs.push({ name, ...getCost(all) })
    }
    return costs
  } finally {
    sender.close()
    proxy.close()
  }
}
