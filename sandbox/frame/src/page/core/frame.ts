/** Parts that every operation uses, created once per load. */
import type { Clock } from '@keybay/kernel/spec'
import type { FrameView } from '@keybay/waas/protocol'
import { createRelayClient } from '@keybay/waas/relay-client'
import type { FrameConfiguration } from '../../configuration/frame.js'
import { createDownloads } from '../backup/downloads.js'
import { createGrants } from '../backup/grants.js'
import { createHostKeeper } from '../backup/host-keeper.js'
import { fetchRelayKeys, type RelayKeys } from '../ceremony/boxes.js'
import { createFactors } from '../factor/client.js'
import { workerKdf } from '../password/kdf.js'
import { createScreen } from '../screen/screen.js'
import { createSigners } from '../sign/signers.js'
import { webLocks } from '../store/locks.js'
import { openShareStore } from '../store/share-store.js'
import { createApiFetch } from './api-fetch.js'
import type { LoadChains, LoadWindow } from './chain-kit.js'
import { createSession } from './session.js'

/** Loads the code of the user's drives. */
export type LoadDrives = () => Promise<typeof import('../backup/drives/index.js')>

/** Parts that every operation uses. */
export type Frame = ReturnType<typeof createFrame>

interface FrameParts {
  readonly configuration: FrameConfiguration
  readonly hostOrigin: string
  readonly self: Window
  readonly place: HTMLElement
  readonly view: FrameView
  readonly spawnKdf: () => Worker
  readonly loadChains?: LoadChains | undefined
  readonly loadDrives: LoadDrives
  readonly loadWindow: LoadWindow
  readonly clock: Clock
}

export function createFrame(parts: FrameParts) {
  const { configuration, hostOrigin, self, place, view, spawnKdf, loadChains, loadDrives, loadWindow, clock } = parts
  const { environmentId } = configuration
  const store = openShareStore(environmentId)
  const signers = createSigners()
  const screen = createScreen({ place, view, hostOrigin, clock })
  const downloads = createDownloads(environmentId, view)
  const grants = createGrants(environmentId, self)
  const relay = createRelayClient({ configuration, now: clock.now, fetch: (...request) => fetch(...request) })
  const apiFetch = createApiFetch({ store, clock, fetch: (...request) => fetch(...request) })
  let keys: Promise<RelayKeys> | undefined
  return {
    configuration,
    hostOrigin,
    clock,
    session: createSession(),
    store,
    locks: webLocks(environmentId),
    relay,
    apiFetch,
    openFactor: createFactors(configuration, apiFetch),
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
    loadDrives,
    loadWindow,
    close() {
      signers.forget()
      downloads.close()
      grants.close()
      screen.clear()
      store.close()
    },
  }
}
