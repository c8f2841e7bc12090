/** Runs the relay as a separate process on PGlite, next to an API that only signs tokens. */
import { type ChildProcess, fork } from 'node:child_process'
import { type KeyObject, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { newKeyPair } from '@keybay/sandbox-service/key-pair'
import * as v from 'valibot'
import { signJws } from '../authority/jws.js'
import { type PublicJwk, publicJwk } from '../crypto/jwk.js'

const CLOCK_TICKS = 100
/** Time to wait for the start, in ms; long enough for a busy machine. */
const START_TIMEOUT_MS = 120_000
const STOP_TIMEOUT_MS = 20_000

export type RelayProcess = Awaited<ReturnType<typeof startRelayProcess>>

export function newKey(): KeyObject {
  return newKeyPair('P-256').privateKey
}

export function toJwk(key: KeyObject): PublicJwk {
  const { kty, crv, x, y } = key.export({ format: 'jwk' })
  return v.parse(publicJwk, { kty, crv, x, y })
}

const readySchema = v.object({ type: v.literal('ready'), url: v.string() })

/** Resolves with the address that the relay reports. @throws Error when the relay exits or times out */
async function started(relay: ChildProcess): Promise<string> {
  const over = new AbortController()
  const { signal } = over
  const limit = setTimeout(() => over.abort(), START_TIMEOUT_MS)
  try {
    const said = once(relay, 'message', { signal }).then(([message]) => v.parse(readySchema, message).url)
    const ended = once(relay, 'exit', { signal }).then(([code]) => {
      throw new Error(`The relay ended with code ${code} before it was ready`)
    })
    return await Promise.race([said, ended])
  } catch (error) {
    if (signal.aborted) throw new Error(`The relay was not ready in ${START_TIMEOUT_MS / 1000} s`)
    throw error
  } finally {
    clearTimeout(limit)
    over.abort()
  }
}

async function ended(relay: ChildProcess): Promise<void> {
  if (relay.exitCode !== null || relay.signalCode !== null) return
  const exit = once(relay, 'exit')
  let isLate = false
  const limit = setTimeout(() => {
    isLate = true
    relay.kill('SIGKILL')
  }, STOP_TIMEOUT_MS)
  relay.kill('SIGTERM')
  await exit
  clearTimeout(limit)
  if (isLate) throw new Error(`The relay did not stop in ${STOP_TIMEOUT_MS / 1000} s`)
}

/**
 * @param databaseUrl PostgreSQL; default: PGlite
 * @throws Error when the relay does not start
 */
export async function startRelayProcess(databaseUrl?: string) {
  const [apiKey, sessionKey] = [newKey(), newKey()]
  const answers: Readonly<Record<string, object>> = {
    '/.well-known/jwks.json': { keys: [{ ...toJwk(apiKey), kid: 'bench' }] },
    '/settings': { mfa: { actions: [] }, embeddedWallets: { enabled: true, mostPerUser: 1_000 } },
    '/mfa/devices': { devices: [] },
  }
  const api = createServer((request, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(answers[(request.url ?? '').replace('/sdk/local', '')] ?? {}))
  }).listen(0, '127.0.0.1')
  await once(api, 'listening')
  const address = api.address()
  const apiUrl = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
  const folder = mkdtempSync(join(tmpdir(), 'keybay-relay-bench-'))
  const file = join(folder, 'environments.json')
  const origins = { hostOrigins: ['http://app.localhost:4000'], frameOrigins: ['http://wallet.localhost:4200'] }
  const local = { apiUrl, issuer: `${apiUrl}/sdk/local`, ...origins, rpcUrl: apiUrl, apiToken: 'none' }
  writeFileSync(file, JSON.stringify({ local }))
  const relay = fork(fileURLToPath(new URL('../main.js', import.meta.url)), ['--sandbox'], {
    env: {
      ...process.env,
      KEYBAY_DATA_DIR: folder,
      RELAY_PORT: '0',
      RELAY_PEER_URL: 'none',
      RELAY_ENVIRONMENTS_FILE: file,
      RELAY_LIMIT_FACTOR: '1000000',
      ...(databaseUrl !== undefined && { RELAY_DATABASE_URL: databaseUrl }),
    },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const stop = async (): Promise<void> => {
    try {
      await ended(relay)
    } finally {
      api.close()
      api.closeAllConnections()
      rmSync(folder, { recursive: true, force: true })
    }
  }
  try {
    const url = await started(relay)
    const iat = Math.floor(Date.now() / 1000)
    const cnf = { jwk: toJwk(sessionKey) }
    const claims = { iss: local.issuer, aud: 'local', sub: 'bench', sid: 'session', jti: randomUUID(), iat, cnf }
    return {
      /** Base URL of the environment's routes. */
      base: `${url.replace('localhost', '127.0.0.1')}/sdk/local`,
      /** Access token of one user, valid for an hour. */
      token: signJws({ typ: 'at+jwt', kid: 'bench' }, { ...claims, exp: iat + 3600 }, apiKey),
      sessionKey,
      /** Returns the CPU seconds used so far. */
      processorTime(): number {
        const fields = readFileSync(`/proc/${relay.pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
        return (Number(fields[11]) + Number(fields[12])) / CLOCK_TICKS
      },
      /** @throws Error when the process does not stop by itself and is killed */
      stop,
    }
  } catch (error) {
    await stop().catch(() => undefined)
    throw error
  }
}
