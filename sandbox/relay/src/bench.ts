/**
 * `node dist/bench.js`: co-signatures a second on one core, bare and as a service. The service is a process of its own on
 * PGlite, with every check; what counts is its processor time, so that whoever sends the requests costs nothing here. An
 * API of this file signs the tokens, since the relay asks it for nothing while it signs.
 */
import { fork } from 'node:child_process'
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, randomUUID, sign } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  acceptDeal,
  type CoSigner,
  codecs,
  createFrameSigner,
  dealImported,
  dealTranscript,
  encode,
  type KeyShare,
  nobleCoSigner,
  SCHEMES,
  type SetPlan,
  sealContext,
  sealPrivate,
} from '@keybay/waas/mpc'
import * as v from 'valibot'
import { sodiumCoSigner } from './cosign/sodium.js'

const CLOCK_TICKS = 100
const b64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url')
const sha256 = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('base64url')
const part = (value: object): string => b64(Buffer.from(JSON.stringify(value)))
const newKey = () => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
const jwkOf = (key: KeyObject) => {
  const { kty, crv, x, y } = key.export({ format: 'jwk' })
  return { kty, crv, x, y }
}
const jws = (key: KeyObject, header: object, claims: object): string => {
  const signed = `${part({ alg: 'ES256', ...header })}.${part(claims)}`
  return `${signed}.${b64(sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' }))}`
}

const newWallet = () => {
  const ids = { ceremonyId: randomUUID(), walletId: randomUUID(), setId: randomUUID() }
  const plan: SetPlan = { ...ids, epoch: 0, curve: 'ed25519', ...SCHEMES.TWO_OF_TWO }
  const deal = dealImported(plan, new Uint8Array(randomBytes(32)))
  const subShareOf = (party: 'C' | 'R1') => deal.subShares.find(({ to }) => to === party)
  const shareOf = (party: 'C' | 'R1'): KeyShare => {
    const subShare = subShareOf(party)
    if (!subShare) throw new Error(`nothing for ${party}`)
    return acceptDeal(plan, party, deal, { ...subShare, secret: subShare.secret.slice() }).share
  }
  return { plan, deal, shareOf }
}

/** A second, on this core. */
export const bareRate = (coSigner: CoSigner, rounds: number): number => {
  const { shareOf } = newWallet()
  const [frame, share] = [createFrameSigner(shareOf('C'), ['R1']), shareOf('R1')]
  const message = new Uint8Array(randomBytes(215))
  const request = new Uint8Array(randomBytes(32))
  const commitments = Array.from({ length: rounds }, () => frame.begin().commitment)
  const started = process.cpuUsage()
  for (const commitment of commitments) {
    const signing = coSigner.begin({ share, request, message, received: [commitment] })
    signing.sign([commitment, signing.commitment])
  }
  const { user, system } = process.cpuUsage(started)
  return rounds / ((user + system) / 1e6)
}

/** A transfer from the wallet to somebody, as the message of a legacy transaction. */
const transfer = (from: Uint8Array): Uint8Array =>
  Buffer.concat([
    Buffer.of(1, 0, 1, 3),
    from,
    randomBytes(32),
    Buffer.alloc(32),
    randomBytes(32),
    Buffer.of(1, 2, 2, 0, 1, 12, 2, 0, 0, 0),
    Buffer.from([1, 0, 0, 0, 0, 0, 0, 0]),
  ])

/** Processor seconds of a process so far. */
const processorTime = (pid: number): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / CLOCK_TICKS
}

const readySchema = v.object({ type: v.literal('ready'), url: v.string() })
const partySchema = v.object({ sealingKey: v.string() })

/** Signatures a second of processor time of the whole service. Linux only. */
export const serviceRate = async (rounds: number): Promise<number> => {
  const [apiKey, sessionKey, device] = [newKey(), newKey(), newKey()]
  const answers: Readonly<Record<string, object>> = {
    '/.well-known/jwks.json': { keys: [{ ...jwkOf(apiKey), kid: 'bench' }] },
    '/settings': { mfa: { actions: [] }, embeddedWallets: { mostPerUser: 5 } },
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
  const relay = fork(fileURLToPath(new URL('main.js', import.meta.url)), {
    env: {
      ...process.env,
      KEYBAY_DATA_DIR: folder,
      RELAY_PORT: '0',
      RELAY_ENVIRONMENTS_FILE: file,
      RELAY_LIMIT_FACTOR: '1000000',
    },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  try {
    const [said] = await once(relay, 'message')
    const base = `${v.parse(readySchema, said).url.replace('localhost', '127.0.0.1')}/sdk/local`
    const now = Math.floor(Date.now() / 1000)
    const token = jws(
      apiKey,
      { typ: 'at+jwt', kid: 'bench' },
      {
        iss: local.issuer,
        aud: 'local',
        sub: 'bench',
        sid: 'session',
        jti: randomUUID(),
        iat: now,
        exp: now + 3600,
        cnf: { jwk: jwkOf(sessionKey) },
      },
    )
    const { plan, deal, shareOf } = newWallet()
    const post = async (path: string, body: string, op: object, deviceClaims: object) => {
      const iat = Math.floor(Date.now() / 1000)
      const session = { sid: 'session', origin: 'http://app.localhost:4000', iat, jti: randomUUID(), ...op }
      const claims = {
        aud: ['R1'],
        env: 'local',
        sub: 'bench',
        bh: sha256(body),
        iat,
        jti: randomUUID(),
        ...deviceClaims,
      }
      return {
        url: base + path,
        init: {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            authorization: `Bearer ${token}`,
            'x-keybay-session': jws(sessionKey, { typ: 'keybay-session+jwt' }, session),
            'x-keybay-device': jws(device, { typ: 'keybay-device+jwt' }, claims),
          },
          body,
        },
      }
    }
    const { walletId, setId, ceremonyId } = plan
    const { sealingKey } = v.parse(partySchema, await (await fetch(`${base}/party`)).json())
    const subShares = deal.subShares.flatMap(one =>
      one.to === 'R1'
        ? [
            {
              from: one.from,
              to: one.to,
              box: b64(
                sealPrivate(
                  Buffer.from(sealingKey, 'base64url'),
                  sealContext(plan, one.from, one.to),
                  encode(codecs.subShare, one),
                ),
              ),
            },
          ]
        : [],
    )
    const op = { op: 'importPrivateKey', hash: sha256(JSON.stringify(['importPrivateKey', 'SOL', 'TWO_OF_TWO'])) }
    const imported = JSON.stringify({
      ceremonyId,
      walletId,
      setId,
      chainName: 'SOL',
      scheme: 'TWO_OF_TWO',
      deviceKey: jwkOf(device),
      package: b64(encode(codecs.dealPackage, deal)),
      subShares,
      transcript: b64(dealTranscript(deal)),
    })
    const made = await post('/wallets/import', imported, op, {
      ...op,
      wallet: walletId,
      set: setId,
      epoch: 0,
      signers: [],
    })
    const answer = v.parse(
      v.object({ wallet: v.object({ address: v.string() }) }),
      await (await fetch(made.url, made.init)).json(),
    )
    const frame = createFrameSigner(shareOf('C'), ['R1'])
    const publicKey = deal.set.commitments[0] ?? new Uint8Array(32)
    const request = async () => {
      const message = transfer(publicKey)
      const commitment = b64(encode(codecs.signCommitment, frame.begin().commitment))
      const body = JSON.stringify({ setId, kind: 'transaction', message: b64(message), commitment })
      const hash = sha256(message)
      const claims = { op: 'signTransaction', hash, wallet: walletId, set: setId, epoch: 0, signers: ['C', 'R1'] }
      return post(
        `/wallets/${walletId}/sign`,
        body,
        { op: 'signTransaction', wallet: answer.wallet.address, hash },
        claims,
      )
    }
    const run = async (count: number): Promise<void> => {
      const requests = await Promise.all(Array.from({ length: count }, request))
      const next = requests.values()
      const worker = async () => {
        for (const { url, init } of next) {
          const response = await fetch(url, init)
          const text = await response.text()
          if (response.status !== 200) throw new Error(`${response.status} ${text}`)
        }
      }
      await Promise.all(Array.from({ length: 8 }, worker))
    }
    await run(Math.min(rounds, 500))
    let spent = 0
    for (let left = rounds; left > 0; left -= 1000) {
      const before = processorTime(relay.pid ?? 0)
      await run(Math.min(left, 1000))
      spent += processorTime(relay.pid ?? 0) - before
    }
    return rounds / spent
  } finally {
    relay.kill('SIGTERM')
    await once(relay, 'exit')
    api.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const coSigner of [nobleCoSigner, sodiumCoSigner]) bareRate(coSigner, 200)
  console.info(`noble, bare      ${Math.round(bareRate(nobleCoSigner, 500))} a second`)
  console.info(`libsodium, bare  ${Math.round(bareRate(sodiumCoSigner, 5_000))} a second`)
  console.info(`service          ${Math.round(await serviceRate(4_000))} a second`)
}
