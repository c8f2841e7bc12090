/** Exported logs of two real relays, verified offline by `npx @keybay/waas audit`. */
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { changeSet, create, jws, nameBackupAccount, ok, only, reshare, sha256, type Wallet } from './frame/index.js'
import { newRelayKeys, startWorld } from './world.js'

const { keys, recordKey, kid } = newRelayKeys()
const root = mkdtempSync(join(tmpdir(), 'keybay-audit-'))
const CLI = join(dirname(createRequire(import.meta.url).resolve('@keybay/waas/mpc')), '../cli/main.js')
const EXPORT = fileURLToPath(new URL('../dist/records-command.js', import.meta.url))

const ACCOUNT = sha256('an account')

interface Entry {
  readonly sequence: number
  readonly record: string
  readonly policy: string
  readonly hash: string
}

function run(program: string, args: readonly string[], env: Record<string, string> = {}) {
  return new Promise<{ code: number; out: string; error: string }>(resolve => {
    const options = { env: { ...process.env, ...env } }
    const child = execFile(process.execPath, [program, ...args], options, (_, out, error) =>
      resolve({ code: child.exitCode ?? 1, out, error }),
    )
  })
}

const parties = ['R1', 'R2'].flatMap(name => ['--keys', join(root, `${name}.json`)])
function audit(logs: readonly string[], ...args: readonly string[]) {
  return run(CLI, ['audit', ...logs.map(name => join(root, name)), ...parties, ...args])
}

function readLines(name: string): string[] {
  return readFileSync(join(root, name), 'utf8').trim().split('\n')
}

function writeLines(name: string, lines: readonly string[]): void {
  writeFileSync(join(root, name), lines.join('\n'))
}

/** Writes a log as a lying R1 could: whole, and signed by its key. */
function writeAsR1(name: string, kept: readonly Pick<Entry, 'record' | 'policy'>[]): void {
  const entries: Entry[] = []
  for (const { record, policy } of kept) {
    const hash = sha256(`${entries.at(-1)?.hash ?? ''}\n${record}`)
    entries.push({ sequence: entries.length + 1, record, policy, hash })
  }
  const claims = { iss: 'R1', sequence: entries.length, hash: entries.at(-1)?.hash, iat: 1 }
  const head = jws(recordKey, 'keybay-log+jwt', claims, { kid })
  writeLines(
    name,
    [...entries, { head }].map(line => JSON.stringify(line)),
  )
}

function readEntries(): Entry[] {
  return readLines('R1.log')
    .slice(0, -1)
    .map(line => JSON.parse(line))
}

let wallet: Wallet
beforeAll(async () => {
  const world = await startWorld({ r1: { keys, dataDir: join(root, 'relay') }, r2: { dataDir: join(root, 'relay2') } })
  const r1 = only(world.r1)
  const first = await create(r1, await world.user(), { scheme: 'TWO_OF_THREE' })
  await create(r1, await world.user(), { scheme: 'THREE_OF_FIVE' })
  const joined = await reshare(r1, first, { purpose: 'addDevice', by: 'B1' })
  const second = joined.after(first, await joined.commit())
  ok(await changeSet(r1, first, second.setId, 'revoke', {}, true))
  const replaced = await reshare(r1, first, { purpose: 'replaceDevice', by: 'B1' })
  wallet = replaced.after(first, await replaced.commit())
  ok(await nameBackupAccount(r1, wallet, { account: ACCOUNT, key: 'A'.repeat(80) }))
  for (const [name, relay] of [
    ['R1', world.r1],
    ['R2', world.r2],
  ] as const)
    writeFileSync(join(root, `${name}.json`), await (await fetch(`${relay.internalUrl}/party`)).text())
  await world.stop()
  const env = { KEYBAY_DATA_DIR: root }
  writeFileSync(join(root, 'R1.log'), (await run(EXPORT, [], { ...env, RELAY_KEYS: keys })).out)
  writeFileSync(join(root, 'R2.log'), (await run(EXPORT, [], { ...env, RELAY_PARTY: '2' })).out)
}, 120_000)
afterAll(() => rmSync(root, { recursive: true }))

describe('an exported log', () => {
  it('the logs of both relays are complete, signed and of one history', async () => {
    const { out, error, code } = await audit(['R1.log', 'R2.log'], '--wallet', wallet.walletId)
    expect({ error, code }).toEqual({ error: '', code: 0 })
    expect(out).toContain('R1.log: 6 records of 2 wallets, complete and signed. Log of R1.')
    expect(out).toContain('R2.log: 6 records of 2 wallets, complete and signed. Log of R2.')
    expect(out).toContain('No record of the second log is missing in the first.')
    const history = out.split('\n').filter(line => /^\d /.test(line))
    expect(history.map(line => /(primary|device) .*(epoch \d) {2}(\w+)/.exec(line)?.slice(1))).toEqual([
      ['primary', 'epoch 0', 'active'],
      ['device', 'epoch 0', 'active'],
      ['device', 'epoch 0', 'revoked'],
      ['primary', 'epoch 1', 'active'],
      ['primary', 'epoch 1', 'active'],
    ])
    const accounts = history.map(line => / {2}backup account (.*)$/.exec(line)?.[1])
    expect(accounts).toEqual(['none', 'none', 'none', 'none', ACCOUNT])
  })

  it.each<[what: string, change: (lines: readonly string[]) => readonly string[], message: RegExp]>([
    [
      'with a changed record',
      lines => lines.map(line => line.replace('"record":"eyJ', '"record":"eyI')),
      /didn’t sign/,
    ],
    ['with a changed policy', lines => lines.map(line => line.replace('"null"', '"{}"')), /breaks the log: policy/],
    ['without its last entry', lines => lines.toSpliced(-2, 1), /missing at the end/],
    ['without its signed head', lines => lines.slice(0, -1), /signed head is missing/],
    ['without an entry in the middle', lines => lines.toSpliced(2, 1), /breaks the log: sequence/],
    ['in another order', lines => [...lines.slice(0, 2).toReversed(), ...lines.slice(2)], /breaks the log: sequence/],
  ])('a log %s is refused', async (_, change, message) => {
    writeLines('changed.log', change(readLines('R1.log')))
    const { code, error } = await audit(['changed.log'])
    expect(error).toMatch(message)
    expect(code).toBe(1)
  })

  it('a log that R1 shortened and signed again is refused beside the log of R2', async () => {
    writeAsR1('shortened.log', readEntries().slice(0, -1))
    expect((await audit(['shortened.log'])).code).toBe(0)
    const { code, error } = await audit(['shortened.log', 'R2.log'])
    expect(error).toContain(`lacks the newest records of wallet ${wallet.walletId}`)
    expect(code).toBe(1)
  })

  it('a log in which R1 signed another history is refused beside the log of R2', async () => {
    const entries = readEntries()
    const last = entries.at(-1) ?? expect.fail('no entry')
    const claims = JSON.parse(Buffer.from(last.record.split('.')[1] ?? '', 'base64url').toString())
    const other = jws(recordKey, 'keybay-record+jwt', { ...claims, device: sha256('another device') }, { kid })
    writeAsR1('forked.log', [...entries.slice(0, -1), { ...last, record: other }])
    expect((await audit(['forked.log'])).code).toBe(0)
    const { code, error } = await audit(['forked.log', 'R2.log'])
    expect(error).toContain(`different histories of wallet ${wallet.walletId}, from record 4 on (20`)
    expect(code).toBe(1)
  })

  it('a record of R1 that would write over the auditor’s terminal, or has no date, is refused', async () => {
    const entries = readEntries()
    const last = entries.at(-1) ?? expect.fail('no entry')
    const claims = JSON.parse(Buffer.from(last.record.split('.')[1] ?? '', 'base64url').toString())
    const forge = async (more: object, policy = last.policy) => {
      const record = jws(recordKey, 'keybay-record+jwt', { ...claims, policy: sha256(policy), ...more }, { kid })
      writeAsR1('hostile.log', [...entries.slice(0, -1), { record, policy }])
      const { code, error } = await audit(['hostile.log'], '--wallet', wallet.walletId)
      expect(code).toBe(1)
      return error
    }
    for (const policy of ['"\u001b[2K\u001b[Aforged"', '"\nforged"', '"\u202eforged"'])
      expect(await forge({}, policy)).toContain('hostile.log: a policy has control characters.')
    expect(await forge({ iat: 1e300 })).toContain('R1 didn’t sign this record')
  })

  it('a third log is refused, because only two are compared', async () => {
    expect(await audit(['R1.log', 'R2.log', 'R2.log'])).toMatchObject({
      code: 1,
      error: expect.stringContaining('two to compare'),
    })
  })

  it('a log of another R1 is refused', async () => {
    const { keys: otherKeys } = newRelayKeys()
    const [{ kty, crv, x, y }] = JSON.parse(otherKeys).record
    writeFileSync(join(root, 'other.json'), JSON.stringify({ party: 'R1', recordKeys: [{ kty, crv, x, y }] }))
    const { code, error } = await run(CLI, ['audit', join(root, 'R1.log'), '--keys', join(root, 'other.json')])
    expect(error).toContain('R1 didn’t sign this record')
    expect(code).toBe(1)
  })
})
