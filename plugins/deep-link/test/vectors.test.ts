// @vitest-environment happy-dom
/**
 * Replays a fixed exchange with Phantom: https://docs.phantom.com/phantom-deeplinks/encryption. Key pairs and nonce are NaCl's
 * test vectors (tests/box.c); libsodium (libsodium-wrappers-sumo 0.8.4) made the boxes, so that neither side checks itself.
 */
import bs58 from 'bs58'
import nacl from 'tweetnacl'
import { expect, it, vi } from 'vitest'
import { setUpWorld, until, type WalletId } from './support.js'

function fromHex(text: string) {
  return Uint8Array.from(Buffer.from(text, 'hex'))
}
const APP = nacl.box.keyPair.fromSecretKey(fromHex('77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a'))
const WALLET = nacl.box.keyPair.fromSecretKey(
  fromHex('5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb'),
)
const NONCE = fromHex('69696ee955b62b73cd62bda875fc73d68219e0036b7a0b37')
const VECTORS = {
  appKey: '9xgMXw7nrN39BoN9rJuGV6B9LwBNYXAJAMfeACcdyLMP',
  walletKey: 'Fz21Bh7WKCb2CUZNm9WbhhuqBqVR4bXJzEMpb3PpfCCe',
  nonce: 'AcNFmpKDtfAh9TMLGe7vSkpbzMQmQRAoQ',
  /** From the Ed25519 seed 0707…07. */
  address: 'GmaDrppBC7P5ARKV8g3djiwP89vz1jLK23V2GBjuAEGB',
  /** The wallet's signature, then app, time, chain and cluster. */
  session: [
    'BUxRePnsxDaU1rwnbcEnRAZf5V7UK8whvT2bkX7qZ9BBh6S6vcvhYr7tX1whZHzhfXG8s6FAHAFxUgzHY71gMkdkT19znTmB9WDW',
    'uBPixn3wFGzoYFBh6V5MvuyWCYY2t2boGWYtkesAweG64innpvb9wwvfAQNNREogBVaNbMUxbagyvkcDJomEG5ZtAdDyYrt4nMn8',
    'Nhv4FZDBhWxRhtPk5p7eFsi',
  ].join(''),
  message: 'Grüezi',
  signature: 'uxoodR86fxreCxZpovHcmvvJmwS7wQhNSUAuRhi8mF5qiN4LWjTKbV8Ae8ruan5Pw8VYEDX5VRG9C34ig5WQrgn',
  fromWallet: {
    connect: [
      'f6QAw5EzJiNAm71DehnWhSGi1TtdSwLLykHCGfhZhiP7RDaXatMr9ujzJyKNBqzciyHM8ePv7binZDhUF77S4uroaNBwoq2kiQCR',
      'ZwSNGWniP6HxeqGK79CY1YmZRiRqBxyuKjeLCVvh3V5FvdcrBhLgG7vCWpobbxf85DF8QzhTjgw731R2EpYFDJY3wMoR9nRNXxMf',
      'r9To8jKg88z2UP3Brg4DQ2eAkNVLi1wLrMVqUVyLdvvw2249on8GgrFdkpA2Zvx5SueSg4YznCUzZjGabro97QyNddThzDZLsmsm',
      'mtBbqm77NAFXbKrh4sZAyneBWrujmUWeziQ73ifiYAvK6SkcznyeNq5syjixPRBXBZuPvVEr6Jt5efRP6buUPfYUGx2yGynvUYyL',
      'VXXfkUZciMbLTY6Tic294RfEKYV',
    ].join(''),
    signMessage: [
      '2SVj1kk1QjuEp7TREt9nmU7QA9UHWbQ6BqfFFFBcgqUeFqBxNCpMmeRGNzLPk1rfzPyzQJfwqXEtmoMzBmJkMf4TjWiNoHBAVeCp',
      'Jg19RNXsyrF2C8SnrZSKxM21zqEAEYKofddodyCEXL7yfGdKpiZjjhZzsRduQHR',
    ].join(''),
  },
  toWallet: {
    signMessage: [
      '2G4iofp15cja58CWMLWca6gmFHTYR3wgBAGHC4VqLNAH3uGP67JqK5Vnoh33T7f74hzAvpQengpRcVmVZyzGdioAupHB4tewN4HR',
      'V3eX34r7B9ac9Q2K1mw8MmcLm2838xseb3WC8Ns9FMkaKcRZNBxb3Dh3CqkHU2jsU2KCLDHpW5LT4DRBC77kjDJ5coBsDRTXDoKh',
      'b9xeeKcEeDuCsoxm1dYXQufv8qFvTpwsksaR5Me18mK6YwAJqef5wHvnqcjskECk9BvzCeb8P7uQ3zDvkZST2bQHV18kGGhAGFAq',
      'LNLsrq3wwiowwdPm53rimQvQtqkhtgvV96jb24JHZMX4zsL5hHG11e3ssMQo8gmFk778SU3j2imU6Qw1aH2VFbP1pgM6x4Go5cGZ',
      'x',
    ].join(''),
    disconnect: [
      'DjuTv1tcTGU84LWqXsTnaWQzmTKjUf5Q8UyfDeZhfzmbfoVSeZHSc7mbfoH5m1N3E9SuHmf1HCb12t7qVseWfJ6NiRKztmEa1PJB',
      'RtoyVT1FyrfP7Z1kn6tEiiTtMFcgTZkWip7aaeFBuiNLtWws27mH1ex1nHvSJgoZVyg64n2fs2A7RHWzXuA94y2zGtumfxmv4SFM',
      'ey3kVAbmUudK2dM7CgHbQRMxfRLZFqSiPenhdqRtUb46wfH82X3bCiq956GgXUTUJhkLaSQjHvM5w1KVhBGvBy9zAdZRYWQPqiys',
      'Vp3tS4xFumUqkSuiApt9b4eeCsMQh1bRmHY8tcd5meiZX',
    ].join(''),
  },
} as const

const world = setUpWorld()
const id: WalletId = 'deep-link:phantom'

function getLastVisit() {
  return world.phone.visits.at(-1) ?? new URL('about:blank')
}

function buildReturn(answer: Readonly<Record<string, string>>) {
  const url = new URL(getLastVisit().searchParams.get('redirect_link') ?? '')
  for (const [name, value] of Object.entries(answer)) url.searchParams.append(name, value)
  return url.href
}

function readByWallet() {
  const [payload, nonce, key] = ['payload', 'nonce', 'dapp_encryption_public_key'].map(name =>
    bs58.decode(getLastVisit().searchParams.get(name) ?? ''),
  )
  const opened = payload && nonce && key && nacl.box.open(payload, nonce, key, WALLET.secretKey)
  return opened && JSON.parse(new TextDecoder().decode(opened))
}
const { nonce, session } = VECTORS

it('[S2.7] [S9.7] exchanges messages with Phantom byte for byte', async () => {
  const { randomBytes } = nacl
  vi.spyOn(nacl.box, 'keyPair').mockReturnValue(APP)
  vi.spyOn(nacl, 'randomBytes').mockImplementation(length =>
    length === NONCE.length ? NONCE.slice() : randomBytes(length),
  )

  const first = world.open('/')
  first.keybay.connect(id).catch(() => {}) // its page is gone by then
  await until(() => world.phone.visits.length === 1)
  expect(getLastVisit().searchParams.get('dapp_encryption_public_key')).toBe(VECTORS.appKey)
  const connected = { phantom_encryption_public_key: VECTORS.walletKey, nonce, data: VECTORS.fromWallet.connect }
  const second = world.open(buildReturn(connected))
  await until(() => second.keybay.connections.get(id))
  const account = second.keybay.connections.get(id)?.accounts[0]
  expect(account?.address).toBe(VECTORS.address)
  if (!account) return

  const message = new TextEncoder().encode(VECTORS.message)
  const sign = second.wallet(id).wallet.features['solana:signMessage']
  sign.signMessage({ account, message }).catch(() => {}) // its page is gone by then
  await until(() => world.phone.visits.length === 2)
  expect(getLastVisit().pathname).toBe('/ul/v1/signMessage')
  expect(getLastVisit().searchParams.get('nonce')).toBe(nonce)
  expect(getLastVisit().searchParams.get('payload')).toBe(VECTORS.toWallet.signMessage)
  expect(readByWallet()).toEqual({ message: bs58.encode(message), display: 'utf8', session })
  const third = world.open(buildReturn({ nonce, data: VECTORS.fromWallet.signMessage }))
  await until(() => third.event('operation:resumed'))
  const signature = bs58.decode(VECTORS.signature)
  expect(third.event('operation:resumed')).toMatchObject({ result: [{ signedMessage: message, signature }] })
  await until(() => third.keybay.connections.get(id))

  void third.keybay.disconnect(id)
  await until(() => world.phone.visits.length === 3)
  expect(getLastVisit().searchParams.get('payload')).toBe(VECTORS.toWallet.disconnect)
  expect(readByWallet()).toEqual({ session })
})
