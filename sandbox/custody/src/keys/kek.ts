/** The key-encryption key: in the environment, in a file, or behind a command. */
import { join } from 'node:path'
import type { Log, StartUpCheck } from '@keybay/sandbox-service'
import { createCommandEnvelope, createEnvelope, type SecretEnvelope } from '@keybay/sandbox-service/envelope'
import { type KekCommand, KekCommandError, openKekCommand, readCommand } from '@keybay/sandbox-service/kek-command'
import { type FoundKey, getFingerprint, type KeySource, keepFact } from '@keybay/sandbox-service/keys'
import { findKeks, KEK_NAME } from '@keybay/sandbox-service/secrets'
import type { Database } from '../db/open.js'
import { CustodyError, internalError, unavailable } from '../http/errors.js'
import type { CustodyOptions } from '../index.js'

const VARIABLE = 'CUSTODY_KEK_COMMAND'
const RETRY_AFTER_SECONDS = 5

type KekOptions = Pick<CustodyOptions, 'dataDir' | 'kek' | 'kekCommand'>

/** Keys of secrets: a command seals if there is one, else the first key. All open. */
export interface Kek {
  readonly keks: readonly Uint8Array[]
  readonly command: KekCommand | undefined
}

/** The command, or why it cannot be used. */
export type OpenedCommand = { readonly command: KekCommand | undefined } | { readonly problem: unknown }

export function kekSource({ dataDir, kek }: Pick<KekOptions, 'dataDir' | 'kek'>): KeySource {
  return { service: 'custody', variable: 'CUSTODY_KEK', text: kek, file: dataDir && join(dataDir, 'kek') }
}

/** Asks the command for its keys, if the operator has set one. */
export async function openCommand(
  { kekCommand }: Pick<KekOptions, 'kekCommand'>,
  now: () => number,
): Promise<OpenedCommand> {
  if (kekCommand === undefined) return { command: undefined }
  try {
    const argv = readCommand(kekCommand)
    if (!argv) throw new KekCommandError(`${VARIABLE} must be a JSON array of strings: the program, then its arguments`)
    return { command: await openKekCommand({ argv, variable: VARIABLE, now }) }
  } catch (problem) {
    return { problem }
  }
}

/** @throws Error that does not quote the keys, or says why the command cannot be used */
export function findKek(options: KekOptions, opened: OpenedCommand): FoundKey<Kek> {
  if ('problem' in opened) throw opened.problem
  const { command } = opened
  if (!command) {
    const { value: keks, ...found } = findKeks(kekSource(options))
    return { ...found, value: { keks, command } }
  }
  // Without the variable, the key in the file is not used: it would be a secret beside the command.
  const local = options.kek ? findKeks(kekSource(options)) : undefined
  const fingerprints = command.keyIds.map(keyId => getFingerprint('custody/kek-command', keyId))
  const older = local?.identities.flatMap(identity => identity.fingerprints) ?? []
  const what = 'key-encryption key'
  return {
    value: { keks: local?.value ?? [], command },
    source: { variable: VARIABLE, from: VARIABLE, isNew: false, save: () => undefined },
    identities: [{ name: KEK_NAME, what, fingerprints: [...fingerprints, ...older], opensSecrets: true }],
  }
}

export function createKekEnvelope({ keks, command }: Kek): SecretEnvelope {
  return command ? createCommandEnvelope(command, keks) : createEnvelope(keks)
}

/**
 * Refuses a command that has another key under a known name: it must open what the first start with that name sealed.
 * @throws StartUpError
 */
export async function proveKek(db: Database, check: StartUpCheck, { keks, command }: Kek): Promise<void> {
  if (!command) return
  const envelope = createCommandEnvelope(command, keks)
  const [keyId = ''] = command.keyIds
  const name = `kek-proof:${getFingerprint('custody/kek-command', keyId)}`
  const proof = await keepFact(db, name, () => envelope.seal(Buffer.from(keyId), name))
  try {
    await envelope.open(proof, name)
  } catch {
    check.add(
      `${VARIABLE} holds another key than the one that this database was used with, under the same name. Use that key.`,
    )
  }
  check.throwProblems()
}

/** Turns failures into the protocol's errors, and logs what an operator needs to know. */
export function reportFailures(envelope: SecretEnvelope, log: Log): SecretEnvelope {
  const reported = async <T>(work: () => T | Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      const message = error instanceof KekCommandError ? error.message : 'a secret cannot be opened with its key'
      log({ level: 'error', message })
      throw error instanceof KekCommandError
        ? new CustodyError(unavailable, { retryAfter: RETRY_AFTER_SECONDS })
        : new CustodyError(internalError)
    }
  }
  return {
    seal: (plain, context) => reported(() => envelope.seal(plain, context)),
    open: (sealed, context) => reported(() => envelope.open(sealed, context)),
    rewrap: (sealed, context) => reported(() => envelope.rewrap(sealed, context)),
  }
}
