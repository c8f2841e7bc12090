/**
 * Downloads files for the user. Only the hidden frame may download, because the visible one is sandboxed without that
 * permission. The visible frame passes the file, already encrypted, to the hidden frame of the same page and origin.
 */
import { KeybayError, requestFailed } from '@keybay/kernel/spec'
import type { FrameView } from '@keybay/waas/protocol'

export interface BackupFile {
  readonly name: string
  readonly bytes: Uint8Array
}
/** Time that a hidden frame may take to accept a file, in ms. An existing hidden frame responds immediately. */
const TIMEOUT_MS = 5_000
const LARGEST = 65_536

function isFile(value: unknown): value is BackupFile & { readonly id: string } {
  const record = Object(value)
  const { id, name, bytes }: Record<string, unknown> = record
  return (
    typeof id === 'string' &&
    typeof name === 'string' &&
    /^[\w.-]{1,100}$/.test(name) &&
    bytes instanceof Uint8Array &&
    bytes.length <= LARGEST
  )
}

function download({ name, bytes }: BackupFile): void {
  const address = URL.createObjectURL(new Blob([new Uint8Array(bytes)], { type: 'application/octet-stream' }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // By the next task the download holds its own reference to the bytes.
  setTimeout(() => URL.revokeObjectURL(address))
}

export type Downloads = ReturnType<typeof createDownloads>

export function createDownloads(environmentId: string, view: FrameView) {
  const channel = new BroadcastChannel(`keybay-waas:${environmentId}:downloads`)
  const waiting = new Map<string, () => void>()
  channel.onmessage = ({ data }: MessageEvent<unknown>) => {
    if (typeof data === 'string') waiting.get(data)?.()
    else if (view === 'hidden' && isFile(data)) {
      channel.postMessage(data.id)
      download(data)
    }
  }
  return {
    /** @throws KeybayError `request_failed` if no hidden frame takes the file */
    async save(file: BackupFile): Promise<void> {
      if (view === 'hidden') return download(file)
      const id = crypto.randomUUID()
      await new Promise<void>((resolve, reject) => {
        const late = setTimeout(
          () =>
            reject(new KeybayError(requestFailed, { detail: 'the page has no hidden wallet frame to download with' })),
          TIMEOUT_MS,
        )
        waiting.set(id, () => {
          clearTimeout(late)
          resolve()
        })
        channel.postMessage({ id, ...file })
      }).finally(() => waiting.delete(id))
    },
    close: () => channel.close(),
  }
}
