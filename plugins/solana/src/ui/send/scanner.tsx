import { DialogHead, Modal, Notice, sendMessages, useMessages } from '@keybay/react/ui'
import { type ReactElement, type RefObject, useEffect, useId, useRef, useState } from 'react'
import { isAddress } from '../../address.js'

const READ_EVERY_MS = 200

interface Detector {
  detect(source: HTMLVideoElement): Promise<readonly { readonly rawValue: string }[]>
}
export interface ScannerProps {
  readonly open: boolean
  createDetector(): Detector
  close(): void
  enter(address: string): void
}

type ScanProblem = 'scanBlocked' | 'scanNoCamera' | 'scanFailed' | 'scanSeveral' | 'scanWrong'
/** The camera goes on. */
const PICTURE_PROBLEMS: readonly (ScanProblem | undefined)[] = ['scanSeveral', 'scanWrong']

/** @param error of `getUserMedia` */
function getProblem(error: unknown): ScanProblem {
  const name = error instanceof Error || error instanceof DOMException ? error.name : ''
  if (name === 'NotAllowedError' || name === 'SecurityError') return 'scanBlocked'
  return name === 'NotFoundError' || name === 'OverconstrainedError' ? 'scanNoCamera' : 'scanFailed'
}

/** Returns the address of a code: plain, or of a Solana Pay link, whose other values are ignored. */
function readAddress(code: string): string | undefined {
  const [address] = code
    .trim()
    .replace(/^solana:/i, '')
    .split('?')
  return isAddress(address) ? address : undefined
}

/** Reads codes from the camera until one is an address. Returns a function that stops and turns the camera off. */
function startScan(
  video: HTMLVideoElement,
  detector: Detector,
  found: (codes: readonly string[]) => void,
  failed: (error: unknown) => void,
) {
  const stopping = new AbortController()
  const { signal } = stopping
  let timer: ReturnType<typeof setTimeout>
  const read = async () => {
    const codes = await detector.detect(video).catch(() => []) // no picture yet
    if (signal.aborted) return
    if (codes.length > 0) found(codes.map(({ rawValue }) => rawValue))
    timer = setTimeout(() => void read(), READ_EVERY_MS)
  }
  const start = async () => {
    const stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } })
    const stop = () => {
      for (const track of stream.getTracks()) track.stop()
    }
    if (signal.aborted) return stop()
    signal.addEventListener('abort', stop)
    video.srcObject = stream
    await video.play()
    await read()
  }
  start().catch(error => signal.aborted || failed(error))
  return () => {
    clearTimeout(timer)
    stopping.abort()
  }
}

function useScan(video: RefObject<HTMLVideoElement | null>, { createDetector, close, enter }: ScannerProps) {
  const [problem, setProblem] = useState<ScanProblem>()
  const latest = useRef({ createDetector, close, enter })
  useEffect(() => {
    latest.current = { createDetector, close, enter }
  })
  useEffect(() => {
    if (!video.current) return undefined
    const found = (codes: readonly string[]) => {
      const [address, other] = new Set(codes.flatMap(code => readAddress(code) ?? []))
      if (address === undefined) return setProblem('scanWrong')
      // The user may mean the one, and a sticker beside it must not win.
      if (other !== undefined) return setProblem('scanSeveral')
      latest.current.enter(address)
      latest.current.close()
    }
    return startScan(video.current, latest.current.createDetector(), found, error => setProblem(getProblem(error)))
  }, [video])
  return problem
}

function Camera({ titleId, ...props }: ScannerProps & { readonly titleId: string }) {
  const { text } = useMessages(sendMessages)
  const video = useRef<HTMLVideoElement>(null)
  const problem = useScan(video, props)
  const hasPicture = !problem || PICTURE_PROBLEMS.includes(problem)
  return (
    <>
      <DialogHead id={titleId} title={text('scan')} />
      <div className="keybay-dialog-body" role="status">
        {problem && <Notice kind="warn" title={text(problem)} />}
        {hasPicture && <p>{text('scanHint')}</p>}
        <video ref={video} className="keybay-scan" muted playsInline hidden={!hasPicture} />
      </div>
    </>
  )
}

/** Shows the camera's picture in a dialog, and enters the address of the QR code in it. */
export function Scanner(props: ScannerProps): ReactElement {
  const id = useId()
  return (
    <Modal open={props.open} onClose={props.close} labelledBy={id}>
      <Camera {...props} titleId={id} />
    </Modal>
  )
}
