/** Client of one user, as cheap as possible: a session key, its proofs and one open connection. */
import { createHash, randomUUID, sign } from 'node:crypto'
import { Agent, request } from 'node:http'
import { newKeyPair } from '@keybay/sandbox-service/key-pair'

/** @param {object} value */
function encode(value) {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

/**
 * @typedef {object} Client
 * @property {(path: string, body: object) => Promise<Record<string, unknown>>} call A proved POST below the environment.
 * @property {(path: string, token: string) => Promise<Record<string, unknown>>} get A GET with an access token.
 * @property {() => void} close
 */

/** @param {number} port @returns {Client} */
export function createClient(port) {
  const { privateKey, publicKey } = newKeyPair('P-256')
  const { x, y } = publicKey.export({ format: 'jwk' })
  const header = encode({ alg: 'ES256', typ: 'dpop+jwt', jwk: { kty: 'EC', crv: 'P-256', x, y } })
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })

  /** @param {string} path @param {string} body */
  const getProof = (path, body) => {
    const payload = encode({
      jti: randomUUID(),
      htm: 'POST',
      htu: `http://127.0.0.1:${port}${path}`,
      iat: Math.floor(Date.now() / 1000),
      bh: createHash('sha256').update(body).digest('base64url'),
    })
    const key = { key: privateKey, dsaEncoding: /** @type {const} */ ('ieee-p1363') }
    return `${header}.${payload}.${sign('sha256', Buffer.from(`${header}.${payload}`), key).toString('base64url')}`
  }

  /** @param {'GET' | 'POST'} method @param {string} path @param {Record<string, string | number>} headers @param {string} [body] */
  const send = (method, path, headers, body) =>
    new Promise((resolve, reject) => {
      const sent = request({ host: '127.0.0.1', port, path, method, agent, headers }, response => {
        let text = ''
        response.setEncoding('utf8')
        response.on('data', part => {
          text += part
        })
        response.on('error', reject)
        response.on('end', () => {
          if (response.statusCode !== 200 && response.statusCode !== 202)
            return reject(new Error(`${path} answered ${response.statusCode}: ${text}`))
          resolve(JSON.parse(text))
        })
      })
      sent.on('error', reject)
      sent.end(body)
    })

  return {
    call(below, value) {
      const path = `/api/v0/sdk/local${below}`
      const body = JSON.stringify(value)
      const type = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
      return send('POST', path, { ...type, dpop: getProof(path, body) }, body)
    },
    get: (below, token) => send('GET', `/api/v0/sdk/local${below}`, { authorization: `Bearer ${token}` }),
    close: () => agent.destroy(),
  }
}
