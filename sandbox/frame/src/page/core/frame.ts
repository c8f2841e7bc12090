/** Parts that every operation uses, created once per load. */
import type { Clock } from '@keybay/kernel/spec'
import type { Argon2id } from '@keybay/waas/mpc'
import type { FrameView } from '@keybay/waas/protocol'
import { createRelayClient, type RelayClient } from '@keybay/waas/relay-client'
import type { FrameConfiguration } from '../../configuration/frame.js'
import { createDownloads, type Downloads } from '../backup/downloads.js'
import { createGrants, type Grants } from '../backup/grants.js'
import { createHostKeeper, type HostKeeper } from '../backup/host-keeper.js'
import { fetchRelayKeys, type RelayKeys } from '../ceremony/boxes.js'
import { createFactors, type OpenFactor } from '../factor/client.js'
import { workerKdf } from '../password/kdf.js'
import { createScreen, type Screen } from '../screen/screen.js'
import { createSigners, type Signers } from '../sign/signers.js'
import { type Locks, webLocks } from '../store/locks.js'
import { openShareStore, type ShareStore } from '../store/share-store.js'
import type { LoadChains } from './chain-kit.js'
import { createSession, type Session } from './session.js'

export interface Frame {
  readonly configuration: FrameConfiguration
  /** Origin of the page that embeds the frame. Shown to the user. */
  readonly hostOrigin: string
  readonly clock: Clock
  readonly session: Session
  readonly store: ShareStore
  readonly locks: Locks
  readonly relay: RelayClient
  readonly openFactor: OpenFactor
  /** Returns the relays' sealing keys. They are fetched once, before they are needed. */
  relayKeys(): Promise<RelayKeys>
  readonly argon2id: Argon2id
  readonly screen: Screen
  readonly downloads: Downloads
  readonly grants: Grants
  readonly hostKeeper: HostKeeper
  readonly signers: Signers
  /** Loads other chains. If absent, this page has only Solana accounts. */
  readonly loadChains?: LoadChains | undefined
  close(): void
}
export interface FrameParts {
  readonly configuration: FrameConfiguration
  readonly hostOrigin: string
  readonly self: Window
  readonly place: HTMLElement
  readonly view: FrameView
  readonly spawnKdf: () => Worker
  readonly loadChains?: LoadChains | undefined
  readonly clock: Clock
}

export function createFrame(parts: FrameParts): Frame {
  const { configuration, hostOrigin, self, place, view, spawnKdf, loadChains, clock } = parts
  const { environmentId } = configuration
  const store = openShareStore(environmentId)
  const signers = createSigners()
  const screen = createScreen({ place, view, hostOrigin, clock })
  const downloads = createDownloads(environmentId, view)
  const grants = createGrants(environmentId, self)
  const relay = createRelayClient({ configuration, now: clock.now, fetch: (...request) => fetch(...request) })
  let keys: Promise<RelayKeys> | undefined
  return {
    configuration,
    hostOrigin,
    clock,
    session: createSession(),
    store,
    locks: webLocks(environmentId),
    relay,
    openFactor: createFactors(configuration, (...request) => fetch(...request)),
    relayKeys() {
      keys ??= fetchRelayKeys(relay, configuration.relays)
      keys.catch(() => {
        keys = undefined
      })
      return keys
    },
    argon2id: workerKdf(spawnKdf, () => screen.busy('Checking your password…')),
    screen,
    downloads,
    grants,
    hostKeeper: createHostKeeper(clock),
    signers,
    loadChains,
    close() {
      signers.forget()
      downloads.close()
      grants.close()
      screen.clear()
      store.close()
    },
  }
}
