import { Button, lazyView, sendMessages, useMessages } from '@keybay/react/ui'
import { type ReactElement, useEffect, useState } from 'react'
import type { ScannerProps } from './scanner.js'

/** The shape detection API, which the compiler's types do not have. */
interface BarcodeDetectors {
  new (options: {
    readonly formats: readonly string[]
  }): { detect(source: HTMLVideoElement): Promise<readonly { readonly rawValue: string }[]> }
  getSupportedFormats(): Promise<readonly string[]>
}
declare const BarcodeDetector: BarcodeDetectors

const Scanner = lazyView<ScannerProps>(async () => (await import('./scanner.js')).Scanner)

/** Returns whether this browser reads QR codes, and has a camera. */
async function canScan(): Promise<boolean> {
  if (typeof BarcodeDetector === 'undefined' || !navigator.mediaDevices) return false
  const [formats, devices] = await Promise.all([
    BarcodeDetector.getSupportedFormats(),
    navigator.mediaDevices.enumerateDevices(),
  ])
  return formats.includes('qr_code') && devices.some(({ kind }) => kind === 'videoinput')
}

/** Enters the address of a QR code. Absent where the browser cannot read one. */
export function ScanButton({ enter }: { readonly enter: (address: string) => void }): ReactElement | null {
  const { text } = useMessages(sendMessages)
  const [isOffered, setOffered] = useState(false)
  const [isNeeded, setNeeded] = useState(false)
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    canScan().then(setOffered, () => {}) // then there is no button
  }, [])
  if (!isOffered) return null
  const scan = () => {
    setNeeded(true)
    setOpen(true)
  }
  const createDetector = () => new BarcodeDetector({ formats: ['qr_code'] })
  return (
    <>
      <Button small kind="quiet" text={text('scan')} onClick={scan} />
      {isNeeded && <Scanner open={isOpen} createDetector={createDetector} close={() => setOpen(false)} enter={enter} />}
    </>
  )
}
