/** Builds the wallet's response to an approved request. https://docs.phantom.com/phantom-deeplinks/encryption */
import bs58 from 'bs58'
import nacl from 'tweetnacl'
import { signTransaction, transactionSignature } from '../../transaction.js'
import type { Brand } from './brands.js'
import type { Account, Ask, Links } from './link.js'

/** Return parameters, in the order in which the wallet appends them. */
export type Parameters = Readonly<Record<string, string>>
export interface AnswerParts {
  readonly brand: Brand
  readonly account: Account
  readonly links: Links
  /** Sends to the cluster's node. @throws if the node rejects the transaction */
  send(transaction: Uint8Array, cluster: string): Promise<unknown>
  /** Returns ms since epoch. */
  now(): number
}

const NONCE_BYTES = 24

function encrypt(content: object, sharedSecret: Uint8Array): Parameters {
  const nonce = nacl.randomBytes(NONCE_BYTES)
  const text = new TextEncoder().encode(JSON.stringify(content))
  return { nonce: bs58.encode(nonce), data: bs58.encode(nacl.box.after(text, nonce, sharedSecret)) }
}

/** Signs what the app requested. @throws the node's error, if a transaction had to be sent */
export async function answerTo(ask: Ask, { brand, account, links, send, now }: AnswerParts): Promise<Parameters> {
  if (ask.method === 'connect') {
    const { appUrl, cluster, dappKey } = ask
    const pair = nacl.box.keyPair()
    const sharedSecret = nacl.box.before(bs58.decode(dappKey), pair.secretKey)
    const session = { app_url: appUrl, timestamp: Math.floor(now() / 1000), chain: 'solana', cluster }
    const text = new TextEncoder().encode(JSON.stringify(session))
    // Format of nacl.sign: the signature, followed by the signed bytes.
    const token = new Uint8Array([...account.sign(text), ...text])
    links.set(dappKey, { sharedSecret: bs58.encode(sharedSecret), appUrl, cluster })
    return {
      [`${brand.key}_encryption_public_key`]: bs58.encode(pair.publicKey),
      ...encrypt({ public_key: account.address, session: bs58.encode(token) }, sharedSecret),
    }
  }
  const key = bs58.decode(ask.linked.sharedSecret)
  switch (ask.method) {
    case 'disconnect':
      links.remove(ask.dappKey)
      return {}
    case 'signMessage':
      return encrypt({ signature: bs58.encode(account.sign(ask.message)) }, key)
    default: {
      const signed = ask.transactions.map(({ bytes }) => signTransaction(bytes, account.address, account.sign))
      const [first = new Uint8Array()] = signed
      if (ask.method === 'signAllTransactions')
        return encrypt({ transactions: signed.map(transaction => bs58.encode(transaction)) }, key)
      if (ask.method === 'signTransaction') return encrypt({ transaction: bs58.encode(first) }, key)
      await send(first, ask.linked.cluster)
      return encrypt({ signature: bs58.encode(transactionSignature(first)) }, key)
    }
  }
}

/** Returns the redirect address with the wallet's parameters appended. */
export function returnTo(redirect: URL, parameters: Parameters): string {
  const url = new URL(redirect)
  for (const [name, value] of Object.entries(parameters)) url.searchParams.append(name, value)
  return url.href
}
