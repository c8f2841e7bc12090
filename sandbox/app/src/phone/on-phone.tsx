import { useSyncExternalStore } from 'react'
import { Button } from '../design/index.js'
import { QrCode } from '../design/qr-code.js'
import { openPhoneWindow } from './phone-window.js'

/** Matches a large screen with a mouse: on a phone the page is already open. */
const desktop = matchMedia('(min-width: 48rem) and (pointer: fine)')

function subscribe(listener: () => void) {
  desktop.addEventListener('change', listener)
  return () => desktop.removeEventListener('change', listener)
}

/** Names of this machine, which a phone finds only on itself. */
const HERE = /^(?:(?:.+\.)?localhost|127\..+|\[::1\])$/

/** Lets a desktop user open this app on a phone, or in a phone-sized window, where wallets are apps. */
export function OnPhone() {
  const isDesktop = useSyncExternalStore(subscribe, () => desktop.matches)
  if (!isDesktop) return null
  const { origin, hostname } = location
  return (
    <details className="fold on-phone">
      <summary>My wallet is on my phone</summary>
      <div className="stack-tight">
        {HERE.test(hostname) ? (
          <p className="soft small">
            A phone can’t reach {hostname}, which is this computer. Open a phone in a window: there, Phantom and
            Solflare are first in the list.
          </p>
        ) : (
          <>
            <QrCode text={`${origin}/`} label="QR code that opens this app on your phone" />
            <p className="soft small">
              Scan it with your phone’s camera. There, Phantom and Solflare are first in the list.
            </p>
          </>
        )}
        <Button text="Open a phone in a window" onClick={openPhoneWindow} />
      </div>
    </details>
  )
}
