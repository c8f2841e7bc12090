/** Two nodes with Patroni and a synchronous standby, and three members of etcd. */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@keybay/sandbox-tools/free-port'
import { ETCD, requireProgram } from '@keybay/sandbox-tools/programs'
import { vi } from 'vitest'
import { type Identity, Node } from './node.js'

const MEMBERS = ['one', 'two', 'three']
const HEAL_TIMEOUT_MS = 180_000

export interface Cluster {
  /** Returns the address of a service's database, with both nodes. */
  create(name: string): string
  /** Waits until a primary has a synchronous standby. @returns first the primary */
  waitUntilHealthy(): Promise<readonly [Node, Node]>
  stop(): Promise<void>
}

/** PostgreSQL does not run as root. */
function getIdentity(): Identity {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find(entry => entry.startsWith('postgres:'))
  const [, , uid, gid] = line?.split(':') ?? []
  return { uid: Number(uid), gid: Number(gid) }
}

function makePassword(): string {
  return randomBytes(24).toString('base64url')
}

async function startEtcd(folder: string, identity: Identity) {
  const members = await Promise.all(
    MEMBERS.map(async name => ({ name, client: await freePort(), peer: `http://127.0.0.1:${await freePort()}` })),
  )
  const children = members.map(({ name, client, peer }): ChildProcess => {
    const log = openSync(join(folder, `etcd-${name}.log`), 'a')
    const address = `http://127.0.0.1:${client}`
    const options = {
      name,
      'data-dir': join(folder, `etcd-${name}`),
      'listen-client-urls': address,
      'advertise-client-urls': address,
      'listen-peer-urls': peer,
      'initial-advertise-peer-urls': peer,
      'initial-cluster': members.map(member => `${member.name}=${member.peer}`).join(','),
    }
    const args = Object.entries(options).map(([option, value]) => `--${option}=${value}`)
    return spawn(requireProgram(ETCD), args, { ...identity, stdio: ['ignore', log, log] })
  })
  const [{ client: first } = { client: 0 }] = members
  const hasLeader = async () => {
    const answer = await fetch(`http://127.0.0.1:${first}/version`).catch(() => undefined)
    return answer?.ok === true && (await answer.json()).etcdcluster !== 'not_decided'
  }
  // Patroni ends when it starts before the members have elected a leader.
  await vi.waitUntil(hasLeader, { timeout: HEAL_TIMEOUT_MS })
  return {
    ports: members.map(({ client }) => client),
    async stop() {
      for (const child of children) child.kill('SIGKILL')
      await Promise.all(children.map(child => child.signalCode ?? once(child, 'close')))
    },
  }
}

export async function startCluster(services: readonly string[]): Promise<Cluster> {
  const folder = mkdtempSync(join(tmpdir(), 'keybay-cluster-'))
  const identity = getIdentity()
  chmodSync(folder, 0o755)
  const state = join(folder, 'state')
  const keys = join(folder, 'keys')
  mkdirSync(state)
  chownSync(state, identity.uid, identity.gid)
  mkdirSync(join(keys, 'roles'), { recursive: true })
  const passwords = new Map(services.map(service => [service, makePassword()]))
  for (const [service, password] of passwords) writeFileSync(join(keys, 'roles', service), password)
  const etcd = await startEtcd(state, identity)
  const env = {
    KEYS: keys,
    PATRONI_SUPERUSER_USERNAME: 'postgres',
    PATRONI_SUPERUSER_PASSWORD: makePassword(),
    PATRONI_REPLICATION_USERNAME: 'replication',
    PATRONI_REPLICATION_PASSWORD: makePassword(),
  }
  const nodes = await Promise.all(
    ['db1', 'db2'].map(name => Node.prepare({ name, folder: state, identity, etcdPorts: etcd.ports, env })),
  )
  for (const node of nodes) node.start()
  const findRoles = async () => {
    for (const [primary, standby] of [nodes, [...nodes].reverse()])
      if (primary && standby && (await primary.is('primary')) && (await standby.is('synchronous')))
        return [primary, standby] as const
    return undefined
  }
  return {
    create: name => {
      const hosts = nodes.map(({ host }) => host).join(',')
      return `postgres://${name}:${passwords.get(name)}@${hosts}/${name}?target_session_attrs=read-write`
    },
    waitUntilHealthy: () => vi.waitUntil(findRoles, { timeout: HEAL_TIMEOUT_MS, interval: 250 }),
    async stop() {
      for (const node of nodes) await node.stop()
      await etcd.stop()
      rmSync(folder, { recursive: true })
    },
  }
}
