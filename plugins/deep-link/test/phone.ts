/**
 * Answers the addresses that the page leaves for with the sandbox's phone, which was written from the wallets' documentation and
 * shares no code with this plugin.
 */
import {
  type Account,
  answerTo,
  BRANDS,
  getManner,
  impostor,
  type Linked,
  type Parameters,
  readLink,
  refusal,
  returnTo,
} from '@keybay/sandbox-wallets/deep-links'
import bs58 from 'bs58'
import nacl from 'tweetnacl'
import { vi } from 'vitest'

export type Phone = ReturnType<typeof installPhone>

export function createAccount(): Account {
  const { publicKey, secretKey } = nacl.sign.keyPair()
  const address = bs58.encode(publicKey)
  return { address, publicKey, sign: bytes => nacl.sign.detached(bytes, secretKey) }
}

export function installPhone() {
  /** The addresses that the page left for. */
  const visits: URL[] = []
  /** Transactions that the wallet sent. */
  const sent: Uint8Array[] = []
  const links = new Map<string, Linked>()
  const account = createAccount()
  const store = {
    get: (key: string) => links.get(key),
    set: (key: string, linked: Linked) => void links.set(key, linked),
    remove: (key: string) => void links.delete(key),
  }
  const last = () => {
    const url = visits.at(-1)
    if (!url) throw new Error('The page has not left')
    return url
  }
  const read = (url = last()) => readLink(url, account, store)
  const phone = {
    account,
    visits,
    sent,
    links,
    /** How the wallet answers, by its id in the phone's list. */
    manner: 'well',
    /** Called with each address that the page leaves for. */
    onVisit: (_url: URL): void => {},
    /** Reads an address as the wallet does; the last one by default. */
    read,
    /** Returns the wallet's return address once the user has approved or refused. */
    async answer(action: 'approves' | 'refuses' = 'approves', url = last()) {
      const brand = BRANDS.find(({ key }) => url.hostname.includes(key))
      const reading = read(url)
      if (!brand) throw new Error(`No wallet has ${url.hostname}`)
      const manner = getManner(phone.manner)
      const back = (redirect: URL, parameters: Parameters) =>
        returnTo(redirect, manner.change?.(parameters) ?? parameters)
      if (!reading.ask) {
        if (!reading.redirect) throw new Error('The link leads nowhere')
        return back(reading.redirect, { ...reading.refusal })
      }
      const { redirect } = reading.ask
      if (action === 'refuses') return back(redirect, { ...refusal(4001) })
      const answer = await answerTo(reading.ask, {
        brand,
        account: manner.signs ? impostor(account) : account,
        links: store,
        send: async transaction => void sent.push(transaction),
        now: Date.now,
      })
      return back(redirect, answer)
    },
  }
  vi.spyOn(location, 'assign').mockImplementation(address => {
    const url = new URL(String(address))
    visits.push(url)
    phone.onVisit(url)
  })
  vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(
    'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36',
  )
  vi.spyOn(navigator, 'maxTouchPoints', 'get').mockReturnValue(5)
  return phone
}
