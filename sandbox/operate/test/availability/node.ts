/** A machine with Patroni and PostgreSQL, run as Debian's packages do, which a test can break. */
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startTcpProxy, type TcpProxy } from '@keybay/sandbox-service/testing/tcp-proxy'
import { freePort } from '@keybay/sandbox-tools/free-port'
import { PATRONI, POSTGRES, requireProgram } from '@keybay/sandbox-tools/programs'
import { DEPLOY } from '../compose.js'

/** Size of a node's disk, in MB. Only the test that fills it uses more than a part. */
const DISK_MB = 1_500

const run = promisify(execFile)

export interface Identity {
  readonly uid: number
  readonly gid: number
}

interface Ports {
  readonly postgres: number
  readonly rest: number
}

interface NodeOptions {
  readonly name: string
  /** Folder of all nodes. */
  readonly folder: string
  readonly identity: Identity
  readonly etcdPorts: readonly number[]
  readonly env: NodeJS.ProcessEnv
}

export class Node {
  readonly name: string
  readonly #disk: string
  readonly #data: string
  readonly #log: string
  readonly #options: NodeOptions
  readonly #ports: Ports
  /** Every way between this machine and the others: to its PostgreSQL and Patroni, and from it to etcd. */
  readonly #network: readonly TcpProxy[]
  #patroni: ChildProcess | undefined

  private constructor(options: NodeOptions, ports: Ports, network: readonly TcpProxy[]) {
    this.name = options.name
    this.#options = options
    this.#ports = ports
    this.#network = network
    this.#disk = join(options.folder, options.name)
    this.#data = join(this.#disk, 'data')
    this.#log = join(options.folder, `${options.name}.log`)
  }

  static async prepare(options: NodeOptions): Promise<Node> {
    const ports = { postgres: await freePort(), rest: await freePort() }
    const targets = [ports.postgres, ports.rest, ...options.etcdPorts]
    const node = new Node(options, ports, await Promise.all(targets.map(startTcpProxy)))
    mkdirSync(node.#disk)
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MB}m`, 'keybay', node.#disk])
    chownSync(node.#disk, options.identity.uid, options.identity.gid)
    return node
  }

  /** Address of its PostgreSQL for the services. */
  get host(): string {
    return `127.0.0.1:${this.#network[0]?.port}`
  }

  start(): void {
    const [postgres, rest, ...etcd] = this.#network.map(({ port }) => `127.0.0.1:${port}`)
    const log = openSync(this.#log, 'a')
    this.#patroni = spawn(requireProgram(PATRONI), ['patroni.yaml'], {
      ...this.#options.identity,
      cwd: join(DEPLOY, 'postgres'),
      stdio: ['ignore', log, log],
      env: {
        PATH: process.env.PATH,
        ...this.#options.env,
        PATRONI_NAME: this.name,
        PATRONI_ETCD3_HOSTS: etcd.join(','),
        PATRONI_RESTAPI_LISTEN: `127.0.0.1:${this.#ports.rest}`,
        PATRONI_RESTAPI_CONNECT_ADDRESS: rest,
        PATRONI_POSTGRESQL_LISTEN: `127.0.0.1:${this.#ports.postgres}`,
        PATRONI_POSTGRESQL_CONNECT_ADDRESS: postgres,
        PATRONI_POSTGRESQL_DATA_DIR: this.#data,
        PATRONI_POSTGRESQL_BIN_DIR: requireProgram(POSTGRES),
        PATRONI_POSTGRESQL_PGPASS: join(this.#disk, 'pgpass'),
      },
    })
  }

  /** Asks Patroni whether its PostgreSQL is this: https://patroni.readthedocs.io/en/latest/rest_api.html */
  async is(role: 'primary' | 'synchronous'): Promise<boolean> {
    const url = `http://127.0.0.1:${this.#ports.rest}/${role}`
    const answer = await fetch(url, { signal: AbortSignal.timeout(2_000) }).catch(() => undefined)
    return answer?.ok ?? false
  }

  /** Kills the server process of PostgreSQL; its other processes then end by themselves. */
  killPostgres(): void {
    const file = join(this.#data, 'postmaster.pid')
    if (!existsSync(file)) return
    const [pid] = readFileSync(file, 'utf8').split('\n')
    try {
      process.kill(Number(pid), 'SIGKILL')
    } catch {
      // It has ended before.
    }
  }

  /** Turns the machine off. */
  async kill(): Promise<void> {
    this.cut()
    const patroni = this.#patroni
    if (patroni?.exitCode === null && patroni.kill('SIGKILL')) await once(patroni, 'close')
    this.killPostgres()
  }

  cut(): void {
    for (const proxy of this.#network) proxy.cut()
  }

  mend(): void {
    for (const proxy of this.#network) proxy.mend()
  }

  /** Runs a statement at this node, past its network. @throws Error of psql */
  async query(statement: string): Promise<void> {
    const place = ['-h', '127.0.0.1', '-p', String(this.#ports.postgres), '-U', 'postgres', '-d', 'postgres']
    const env = { PGPASSWORD: this.#options.env.PATRONI_SUPERUSER_PASSWORD }
    await run(join(requireProgram(POSTGRES), 'psql'), [...place, '-tAqc', statement], { env, timeout: 20_000 })
  }

  /** Leaves no free block on the disk. */
  fillDisk(): void {
    const [, free = ''] = execFileSync('df', ['--output=avail', '-B1', this.#disk]).toString().split('\n')
    execFileSync('fallocate', ['-l', free.trim(), join(this.#disk, 'ballast')])
  }

  emptyDisk(): void {
    rmSync(join(this.#disk, 'ballast'))
  }

  async stop(): Promise<void> {
    await this.kill()
    for (const proxy of this.#network) proxy.stop()
    execFileSync('umount', ['--lazy', this.#disk])
  }
}
