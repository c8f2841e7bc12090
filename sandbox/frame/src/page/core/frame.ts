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
import { createHeightReport } from '../screen/height.js'
import { createLaterScreen } from '../screen/later-screen.js'
import { createSigners } from '../sign/signers.js'
import { webLocks } from '../store/locks.js'
import { openShareStore } from '../store/share-store.js'
import { createApiFetch } from './api-fetch.js'
import { type LoadChains, type LoadWindow, openWindow } from './chain-kit.js'
import { createSession } from './session.js'

/** Loads the operations that a first visit does not need. */
export type LoadUpkeep = () => Promise<typeof import('../operations/upkeep.js')>

/** Parts of the page that load at their first use. */
export interface Loaders {
  /** Loads the code of EVM and Bitcoin with the first such account. If absent, there are none here. */
  readonly loadChains?: LoadChains | undefined
  /** Loads the code of Google Drive and iCloud with the first backup there. */
  readonly loadDrives: () => Promise<typeof import('../backup/drives/index.js')>
  /** Loads the code of the window that asks about Solana signatures and rules. */
  readonly loadWindow: LoadWindow
  /** Loads the operations that back up, change or bring back a wallet. */
  readonly loadUpkeep: LoadUpkeep
}

/** Parts that every operation uses. */
export type Frame = ReturnType<typeof createFrame>

interface FrameParts extends Loaders {
  readonly configuration: FrameConfiguration
  readonly hostOrigin: string
  readonly self: Window
  readonly place: HTMLElement
  readonly view: FrameView
  readonly spawnKdf: () => Worker
  readonly clock: Clock
}

export function createFrame(parts: FrameParts) {
  const { configuration, hostOrigin, self, place, view, spawnKdf, clock, ...loaders } = parts
  const { environmentId, theme } = configuration
  const store = openShareStore(environmentId)
  const signers = createSigners()
  const heights = createHeightReport()
  const session = createSession()
  const appName = configuration.appNames?.[hostOrigin]
  const shown = { place, view, hostOrigin, appName, clock, onHeight: heights.report, session, store, theme }
  const openScreen = async () => (await openWindow(loaders)).openScreen(shown)
  const screen = createLaterScreen(view === 'visible', openScreen)
  const downloads = createDownloads(environmentId, view)
  const grants = createGrants(environmentId, self)
  const relay = createRelayClient({ configuration, now: clock.now, fetch: (...request) => fetch(...request) })
  const apiFetch = createApiFetch({ store, clock, fetch: (...request) => fetch(...request) })
  let keys: Promise<RelayKeys> | undefined
  return {
    configuration,
    hostOrigin,
    clock,
    session,
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
    heights,
    downloads,
    grants,
    hostKeeper: createHostKeeper(clock),
    signers,
    ...loaders,
    close() {
      signers.forget()
      downloads.close()
      grants.close()
      screen.clear()
      store.close()
    },
  }
}
