#!/usr/bin/env node
/** `npx @keybay/waas recover …`, `sweep …` and `audit …`: recover a wallet without any service, and check its history. */
import { readFile, writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import bs58 from 'bs58'
import { envelopesIn } from '../offline/envelopes.js'
import { recoverKeyHere } from '../offline/here.js'
import { eraseKey, keyText, type RecoveredKey } from '../offline/recover.js'
import { createRpc } from '../offline/rpc.js'
import { sweep } from '../offline/sweep.js'
import { VERSION } from '../version.js'
import { audit } from './audit.js'
import { readPasswords, type Terminal } from './secret.js'

const HELP = `waas ${VERSION}: recovers a wallet from its encrypted shares, and checks its history, without any service.

  waas recover <file> <file> … [--out key.json]
      Recovers the private key and shows it. Files: a backup and an exported device share
      (exportClientKeyshares), or as many shares as the threshold needs. Asks for passwords,
      or reads them from a pipe, one per line. Needs no network.
      --out   writes a Solana key file (for solana-keygen and others) instead of showing the key

  waas sweep <file> <file> … --to <address> --rpc <url>
      Recovers the key and sends all SOL and tokens to a fresh address.

  waas audit <log> [<log of the other relay>] --keys <party.json> [--keys …] [--wallet <id>]
      Verifies a relay's exported log of signed records: no entry is changed, missing or out of order.
      With two logs, also that no record of the second is missing in the first. --wallet shows its history.
      --keys  a relay's answer to GET /party; R1 signs the records, and each relay the end of its log
`

function isAddress(text: string): boolean {
  return /^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(text) && bs58.decode(text).length === 32
}

const LABELS = { seed: 'Private key (base58)', scalar: 'Scalar (hex)', 'private-key': 'Private key (hex)' } as const

async function recoverFrom(files: readonly string[], terminal: Terminal): Promise<RecoveredKey> {
  const envelopes = (await Promise.all(files.map(readEnvelopes))).flat()
  const passwords = await readPasswords(terminal)
  terminal.output.write('Opening the shares. Each takes a second or two.\n')
  return recoverKeyHere({ envelopes, passwords })
}

async function recover(files: readonly string[], out: string | undefined, terminal: Terminal, say: Say): Promise<void> {
  const key = await recoverFrom(files, terminal)
  try {
    say(`Address: ${key.address}`)
    if (out === undefined) {
      say(`${LABELS[key.kind]}: ${keyText(key)}`)
      if (key.kind === 'scalar')
        say('This key was never whole and has no seed, so other wallets can’t import it. Use “waas sweep”.')
      return
    }
    if (key.kind === 'scalar')
      throw new Error('This key has no seed, so it can’t be written to a key file. Use “waas sweep”.')
    if (key.kind === 'private-key') throw new Error('Key files are for Solana. Leave out --out to see the key.')
    await writeFile(out, JSON.stringify([...key.key]), { mode: 0o600, flag: 'wx' })
    say(`Written to ${out}. Anyone with this file can move the funds.`)
  } finally {
    eraseKey(key)
  }
}

async function sweepAll(
  files: readonly string[],
  { to = '', rpc = '' }: { readonly to?: string | undefined; readonly rpc?: string | undefined },
  terminal: Terminal,
  say: Say,
): Promise<void> {
  if (!isAddress(to)) throw new Error('Add the recipient: --to <address>')
  if (!URL.canParse(rpc)) throw new Error('Add a Solana node: --rpc <url>')
  const key = await recoverFrom(files, terminal)
  try {
    if (key.kind === 'private-key')
      throw new Error('This isn’t a Solana key. Show it with “waas recover” and import it into another wallet.')
    const onMoved = ({ what, amount, signature }: { what: string; amount: bigint; signature: string }) =>
      say(`Moved ${amount} of ${what}: ${signature}`)
    const { from, moved, left } = await sweep({ scalar: key.scalar, to, rpc: createRpc(rpc), onMoved })
    for (const { mint, why } of left) say(`Left ${mint}: ${why}`)
    say(moved.length > 0 ? `${from} is empty now.` : `${from} has nothing to move.`)
    if (left.length > 0) process.exitCode = 2
  } finally {
    eraseKey(key)
  }
}

type Say = (line: string) => void

async function run(args: readonly string[]): Promise<void> {
  const options = {
    out: { type: 'string' },
    to: { type: 'string' },
    rpc: { type: 'string' },
    keys: { type: 'string', multiple: true },
    wallet: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  } as const
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true })
  const [command, ...files] = positionals
  const say: Say = line => process.stdout.write(`${line}\n`)
  // Prompts go to stderr, so that a pipe does not capture them.
  const terminal: Terminal = { input: process.stdin, output: process.stderr }
  if (values.help || command === undefined) return say(HELP)
  if (files.length === 0) throw new Error('Add the files.')
  if (command === 'recover') return recover(files, values.out, terminal, say)
  if (command === 'sweep') return sweepAll(files, values, terminal, say)
  if (command === 'audit') return audit({ logs: files, keys: values.keys ?? [], wallet: values.wallet }, say)
  throw new Error(`Unknown command “${command}”. Try: waas --help`)
}

await run(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
})

/** Reads the envelopes of one file. @throws Error that names it */
export async function readEnvelopes(path: string): Promise<readonly Uint8Array[]> {
  const bytes = await readFile(path).catch(() => {
    throw new Error(`${path} can't be read.`)
  })
  return envelopesIn(new Uint8Array(bytes), path)
}
