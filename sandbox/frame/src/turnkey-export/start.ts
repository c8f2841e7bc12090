/** Starts the custody window: one port from an allowed page, and one export or question, shown as the wallet frame does. */
import { type Clock, IFRAME_LOAD_TIMEOUT_MOST_MS, systemClock } from '@keybay/kernel/spec'
import { type Fit, isBegin, isSealed, type Over, type Sealed, type Target } from '@keybay/turnkey/protocol'
import { acceptFromPage } from '@keybay/waas/protocol'
import { generateP256KeyPair } from '@turnkey/crypto'
import { readExportConfiguration } from '../configuration/export.js'
import { readAccountName } from '../page/core/account-name.js'
import { createSession } from '../page/core/session.js'
import { showRefusal } from '../page/screen/dom.js'
import { identify, readIdentity } from '../page/screen/identity.js'
import { createScreen } from '../page/screen/screen.js'
import { showKey } from '../page/screen/show-key.js'
import { applyTheme } from '../page/screen/theme.js'
import { openDatabase } from '../page/store/database.js'
import { openPhrases } from '../page/store/phrases.js'
import { recipientsIn } from '../page/store/share-store.js'
import { askToSign } from './ask-to-sign.js'
import { openBundle } from './open-bundle.js'

export interface ExportFrameOptions {
  readonly configuration: unknown
  readonly self: Window
  readonly place: HTMLElement
  readonly clock?: Clock
}

const USE = {
  SOL: 'Paste it into Phantom, or another Solana wallet, under “Import private key”.',
  EVM: 'Paste it into MetaMask, or another Ethereum wallet, under “Import account”.',
} as const
const USE_OF_WORDS =
  'Type them into Phantom, or another wallet, under “Import recovery phrase”. Every account of this wallet comes from them.'

/**
 * Starts the window. If the window cannot serve this page, it shows the reason and throws.
 *
 * @throws KeybayError `frame_refused`, `iframe_load_timeout`; TypeError for an invalid configuration
 * @example await startExportFrame({ configuration, self: window, place: document.body })
 */
export async function startExportFrame({
  configuration,
  self,
  place,
  clock = systemClock,
}: ExportFrameOptions): Promise<void> {
  try {
    const {
      environmentId = '',
      asks = false,
      parentOrigins,
      signerPublicKey,
      theme = {},
      appNames,
      accountUrl,
      rpcUrl,
    } = readExportConfiguration(configuration)
    const { searchParams } = new URL(self.location.href)
    const hostOrigin = searchParams.get('hostOrigin') ?? ''
    const { port, checkExchange } = await acceptFromPage({
      self,
      hostOrigin,
      instanceId: searchParams.get('instanceId') ?? '',
      allowedOrigins: parentOrigins,
      clock,
      timeout: IFRAME_LOAD_TIMEOUT_MOST_MS,
    })
    applyTheme(theme, self.document.documentElement.style)
    /** The signed-in user has one phrase for this window and the wallet's. */
    const session = createSession()
    const database = openDatabase(environmentId)
    const phrases = openPhrases(database)
    const recipients = recipientsIn(database)
    const onHeight = (height: number) => port.postMessage({ type: 'fit', height } satisfies Fit)
    const appName = appNames?.[hostOrigin]
    const screen = identify(createScreen({ place, view: 'visible', hostOrigin, appName, clock, onHeight }), () =>
      readIdentity(session, phrases),
    )
    /** Private key of the window, which opens one bundle and is then dropped. */
    let embeddedKey: string | undefined
    let begun = false

    const show = async (sealed: Sealed) => {
      const targetKey = embeddedKey
      embeddedKey = undefined
      if (targetKey === undefined) return
      let key: string | undefined = await openBundle(sealed, targetKey, signerPublicKey)
      const { address, chain, path } = sealed
      const what = path === undefined ? 'key' : 'words'
      await showKey(screen, {
        address,
        text: () => key ?? '',
        erase: () => {
          key = undefined
        },
        what,
        use: what === 'words' ? USE_OF_WORDS : USE[chain],
        clock,
        self,
        signal: new AbortController().signal,
      })
    }
    const say = (opened: boolean) => port.postMessage({ type: 'over', opened } satisfies Over)
    port.onmessage = ({ data }: MessageEvent<unknown>) => {
      if (isBegin(data) && !begun && (data.sign !== undefined) === asks) {
        checkExchange(data.exchange)
        begun = true
        const { token, sign } = data
        if (token !== undefined)
          session.take(token, accountUrl === undefined ? undefined : readAccountName(accountUrl, token))
        if (sign) {
          const asking = { screen, hostOrigin, rpcUrl, user: session.user, recipients, now: clock.now }
          askToSign(sign, asking).then(
            () => say(true),
            () => say(false),
          )
          return
        }
        screen.busy('Confirm with your passkey')
        const { privateKey, publicKeyUncompressed } = generateP256KeyPair()
        embeddedKey = privateKey
        port.postMessage({ type: 'target', targetPublicKey: publicKeyUncompressed } satisfies Target)
      } else if (isSealed(data) && embeddedKey !== undefined)
        show(data).then(
          () => say(true),
          // Drop the error, because its message may quote the bundle.
          () => say(false),
        )
    }
  } catch (error) {
    showRefusal(place, error)
    throw error
  }
}
