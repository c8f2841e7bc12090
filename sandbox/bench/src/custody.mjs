/** Measures key custody: one signature as a page sees it, and the signatures of one core beside the bare cryptography. */
import { createCipheriv, createDecipheriv, randomBytes, sign, verify } from 'node:crypto'
import { newKeyPair } from '@keybay/sandbox-service/key-pair'
import { ApiKeyStamper } from '@turnkey/api-key-stamper'
import { generateP256KeyPair } from '@turnkey/crypto'
import { TurnkeyClient } from '@turnkey/http'
import { atMost } from './budgets.mjs'
import { measureClick } from './custody-click.mjs'
import { load, SIDE_BY_SIDE, startMeasured, undoing } from './measured.mjs'
import { highest } from './stats.mjs'
import { figure } from './table.mjs'

/**
 * Maximum processor time of one signature, relative to the bare cryptography in the same run. The database takes most
 * of it: an activity is stored, locked, decided, completed and audited before its bytes leave.
 */
const SERVICE_TIMES = 500
const BARE_MS = 300
const REPEATS = 3

/**
 * @typedef {object} CustodyFigures What failed is undefined.
 * @property {import('./custody-click.mjs').Click | undefined} click
 * @property {import('./custody-click.mjs').Click | undefined} polled
 * @property {Omit<import('./measured.mjs').Load, 'p99Ms'> | undefined} service
 * @property {number | undefined} bare Per second of processor time.
 */

/**
 * Performs the minimum work of one signature: verify the stamp, open the sealed key with its data key, sign the bytes.
 */
function bareOnce() {
  const stamper = newKeyPair('P-256')
  const signer = newKeyPair('Ed25519')
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

/** @param {import('./measured.mjs').Ready} custody @param {number} nth */
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

/** Starts custody and its users. @param {(end: () => unknown) => void} onEnd */
export async function startSigners(onEnd) {
  const measured = await startMeasured(onEnd, 'custody', 'http://app.localhost')
  const users = Array.from({ length: SIDE_BY_SIDE }, (_, nth) => createUser(measured.ready, nth))
  return { measured, signatures: await Promise.all(users) }
}

/** @param {number} ms */
function measureService(ms) {
  return undoing(async onEnd => {
    const { measured, signatures } = await startSigners(onEnd)
    return load(measured, signatures, ms)
  })
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

/**
 * @param {CustodyFigures | undefined} figures undefined when all measurements failed
 * @returns {import('./reports.mjs').Report}
 */
export function reportCustody(figures) {
  const { click, polled, service, bare } = figures ?? {}
  const times = service && bare ? bare / service.perCore : undefined
  const row = (/** @type {string} */ title, /** @type {import('./custody-click.mjs').Click | undefined} */ cost) => [
    title,
    figure(cost?.ms, 0),
    figure(cost?.requests, 1),
  ]
  return {
    tables: [
      {
        title: 'A signature by key custody, with a session key, in Chromium: from the click to the bytes',
        table: {
          head: ['', 'ms', 'requests'],
          rows: [row('answered at once', click), row('still pending, polled once more after 500 ms', polled)],
        },
      },
      {
        title: 'Key custody on PGlite, eight users at once; bare: one stamp verified, a key opened, the bytes signed',
        table: {
          head: ['', 'p50 ms', 'processor ms', 'per core and s', 'bare', 'times'],
          rows: [
            [
              'signature of 215 bytes, one request',
              figure(service?.p50Ms),
              figure(service?.ms, 2),
              figure(service?.perCore, 0),
              figure(bare, 0),
              figure(times, 0),
            ],
          ],
        },
      },
    ],
    verdicts: [
      atMost('requests of a custody signature', click?.requests, 1),
      atMost('requests of one that is polled', polled?.requests, 2),
      atMost('processor time of a custody signature', times, SERVICE_TIMES, 'times the bare cryptography'),
    ],
  }
}
