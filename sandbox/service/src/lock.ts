/**
 * Allows one process at a time in a folder. The lock is a local socket named after the folder: the system removes it
 * with the process, however the process ends, so that no stale lock blocks the next start.
 */
import { createHash } from 'node:crypto'
import { realpathSync, rmSync, statSync } from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeFolder } from './files.js'

/** Time that a busy holder gets to identify itself, in ms. */
const TIMEOUT_MS = 1_000
/** Number of attempts, because a holder may exit during the request. */
const TRIES = 5

/** Derives the name from the folder's path and inode: two containers may share either one. */
function getSocket(folder: string, platform: NodeJS.Platform): string {
  const { dev, ino } = statSync(folder, { bigint: true })
  const id = createHash('sha256')
    .update(`${realpathSync(folder)}\n${dev}\n${ino}`)
    .digest('hex')
    .slice(0, 32)
  if (platform === 'linux') return `\0keybay-${id}`
  if (platform === 'win32') return `\\\\.\\pipe\\keybay-${id}`
  return join(tmpdir(), `keybay-${id}`)
}

/** Listens on the socket; undefined when another process does. */
function hold(path: string): Promise<Server | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer(socket => {
      socket.on('error', () => undefined)
      socket.end(String(process.pid), () => socket.destroy())
    })
    server.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(undefined) : reject(error),
    )
    server.listen({ path, exclusive: true }, () => resolve(server.unref()))
  })
}

/** Returns the identity of the listening process; undefined when it no longer listens. */
function getHolder(path: string): Promise<string | undefined> {
  return new Promise(resolve => {
    let said = ''
    const socket = connect(path).setEncoding('utf8').setTimeout(TIMEOUT_MS)
    socket.on('data', text => {
      said += text
    })
    socket.on('timeout', () => socket.destroy())
    socket.on('error', () => resolve(undefined))
    socket.on('close', () => resolve(/^\d+$/.test(said) ? `process ${said}` : 'another process'))
  })
}

/**
 * Creates the folder and locks it for this process.
 * @param platform for tests
 * @returns a function that releases the lock
 * @throws Error that names the folder and the process that holds the lock
 */
export async function lockFolder(folder: string, platform: NodeJS.Platform = process.platform): Promise<() => void> {
  makeFolder(folder)
  const path = getSocket(folder, platform)
  for (let tries = 0; tries < TRIES; tries++) {
    const server = await hold(path)
    if (server) return () => void server.close()
    const holder = await getHolder(path)
    if (holder !== undefined)
      throw new Error(
        `the folder ${folder} is in use by ${holder}: stop that one first, or set KEYBAY_DATA_DIR to another folder`,
      )
    // A file-based socket outlives its process.
    if (!path.startsWith('\0')) rmSync(path, { force: true })
  }
  throw new Error(`the folder ${folder} is being taken by other processes: try again`)
}

/**
 * Starts a service with exclusive use of its data folder until it has stopped.
 * @param folder without it nothing is stored or locked
 * @throws Error that names the folder and the process that holds the lock
 */
export async function aloneIn<T extends { stop(): Promise<void> }>(
  folder: string | undefined,
  start: () => Promise<T>,
): Promise<T> {
  if (folder === undefined) return start()
  const unlock = await lockFolder(folder)
  try {
    const service = await start()
    return { ...service, stop: () => service.stop().finally(unlock) }
  } catch (error) {
    unlock()
    throw error
  }
}
