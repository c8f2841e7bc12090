/**
 * Measures key custody: one signature as a page sees it, and signatures per second on one core beside the cryptography
 * that
 * each needs at least. Counts processor time of the measured process, which excludes the client and the machine.
 */
import { createCipheriv, createDecipheriv, generateKeyPairSync, randomBytes, sign, verify } from 'node:crypto'
import { ApiKeyStamper } from '@turnkey/api-key-stamper'
import { generateP256KeyPair } from '@turnkey/crypto'
import { TurnkeyClient } from '@turnkey/http'
import { startCustodyChild } from './custody-child.mjs'
import { measureClick } from './custody-click.mjs'
import { highest, percentile } from './stats.mjs'

/** Number of users who sign concurrently. */
const SIDE_BY_SIDE = 8
const WARM_UP_MS = 1_000
const BARE_MS = 300
const REPEATS = 3

/**
 * @typedef {object} CustodyFigures What failed is undefined.
 * @property {import('./custody-click.mjs').Click | undefined} click
 * @property {import('./custody-click.mjs').Click | undefined} polled
 * @property {{ p50Ms: number | undefined, ms: number, perCore: number } | undefined} service `ms`: processor time of one.
 * @property {number | undefined} bare Per second of processor time.
 */

/**
 * Performs the minimum work of one signature: verify the stamp, open the sealed key with its data key, sign the bytes.
 */
function bareOnce() {
  const stamper = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const signer = generateKeyPairSync('ed25519')
  const body = randomBytes(420)
  const stamp = sign('sha256', body, stamper.privateKey)
  const [key, iv] = [randomBytes(32), randomBytes(12)]
  const cipher = createCipheriv('aes-256-gcm', key, iv)
  const sealed = Buffer.concat([cipher.update(randomBytes(32)), cipher.final()])
  const tag = cipher.getAuthTag()
  const open = () => {
    const decipher = createDecipheriv('aes-256-gcm', key, iv)
    decipher.setAuthTag(tag)
    return Buffer.concat([decipher.update(sealed), decipher.final()])
  }
  return () => {
    if (!verify('sha256', body, stamper.publicKey, stamp)) throw new Error('The stamp does not verify')
    open()
    open()
    sign(null, body, signer.privateKey)
  }
}

function bareRate() {
  const once = bareOnce()
  const before = process.cpuUsage()
  const end = performance.now() + BARE_MS
  let count = 0
  for (; performance.now() < end; count++) once()
  const { user, system } = process.cpuUsage(before)
  return (count / (user + system)) * 1_000_000
}

/** @param {import('./custody-child.mjs').CustodyChild} custody @param {number} nth */
async function createUser({ url: baseUrl, operator }, nth) {
  const getClient = (/** @type {{ publicKey: string, privateKey: string }} */ { publicKey, privateKey }) =>
    new TurnkeyClient({ baseUrl }, new ApiKeyStamper({ apiPublicKey: publicKey, apiPrivateKey: privateKey }))
  const key = generateP256KeyPair()
  const { activity } = await getClient(operator).createSubOrganization({
    type: 'ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V8',
    timestampMs: String(Date.now()),
    organizationId: operator.organizationId,
    parameters: {
      subOrganizationName: `User ${nth}`,
      rootQuorumThreshold: 1,
      rootUsers: [
        {
          userName: `user ${nth}`,
          apiKeys: [{ apiKeyName: 'Key', publicKey: key.publicKey, curveType: 'API_KEY_CURVE_P256' }],
          authenticators: [],
          oauthProviders: [],
        },
      ],
      wallet: {
        walletName: 'Wallet',
        accounts: [
          {
            curve: 'CURVE_ED25519',
            pathFormat: 'PATH_FORMAT_BIP32',
            path: "m/44'/501'/0'/0'",
            addressFormat: 'ADDRESS_FORMAT_SOLANA',
          },
        ],
      },
    },
  })
  const made = activity.result.createSubOrganizationResultV8
  const [organizationId = '', [signWith = ''] = []] = [made?.subOrganizationId, made?.wallet?.addresses]
  const client = getClient(key)
  return async () => {
    const { activity } = await client.signRawPayload({
      type: 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2',
      timestampMs: String(Date.now()),
      organizationId,
      parameters: {
        signWith,
        payload: randomBytes(215).toString('hex'),
        encoding: 'PAYLOAD_ENCODING_HEXADECIMAL',
        hashFunction: 'HASH_FUNCTION_NOT_APPLICABLE',
      },
    })
    if (!activity.result.signRawPayloadResult) throw new Error('Nothing was signed')
  }
}

/** @param {number} ms */
async function measureService(ms) {
  const custody = await startCustodyChild('http://app.localhost')
  try {
    const users = await Promise.all(Array.from({ length: SIDE_BY_SIDE }, (_, nth) => createUser(custody, nth)))
    /** @type {number[]} */
    const times = []
    const until = async (/** @type {number} */ end) => {
      await Promise.all(
        users.map(async once => {
          while (performance.now() < end) {
            const started = performance.now()
            await once()
            times.push(performance.now() - started)
          }
        }),
      )
    }
    await until(performance.now() + WARM_UP_MS)
    times.length = 0
    const before = await custody.used()
    await until(performance.now() + ms)
    const used = (await custody.used()).ms - before.ms
    return { p50Ms: percentile(times, 50), ms: used / times.length, perCore: (times.length / used) * 1000 }
  } finally {
    await custody.stop()
  }
}

/**
 * @param {{ apiMs: number, turns: number }} options duration of the load, in ms; number of clicked signatures
 * @returns {Promise<CustodyFigures>}
 */
export async function measureCustody({ apiMs, turns }) {
  const failed = (/** @type {unknown} */ error) => {
    console.error(error)
    return undefined
  }
  // The best result: other work on the machine can only lower it.
  const bare = () => Array.from({ length: REPEATS }, bareRate)
  const before = bare()
  const service = await measureService(apiMs).catch(failed)
  return {
    service,
    bare: highest([...before, ...bare()]),
    click: await measureClick(turns).catch(failed),
    polled: await measureClick(3, 0).catch(failed),
  }
}
