/** Reads a body of type `multipart/related` (RFC 2387) with two parts: metadata as JSON, then the file. */
import { DriveError } from './drive-errors.js'

export interface Upload {
  readonly metadata: unknown
  readonly content: Uint8Array
  readonly mimeType: string | undefined
}

function malformed(): DriveError {
  return new DriveError(400, 'badContent', 'Malformed multipart body.')
}

/** @throws DriveError `badContent` */
export function readMultipart(contentType: string, body: Uint8Array): Upload {
  const boundary = /^multipart\/related\s*;.*\bboundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType)
  const delimiter = boundary?.[1] ?? boundary?.[2]
  if (delimiter === undefined) throw malformed()
  const whole = Buffer.from(body)
  const parts: { readonly headers: string; readonly content: Buffer }[] = []
  const mark = Buffer.from(`--${delimiter}`)
  let at = whole.indexOf(mark)
  while (at >= 0) {
    const start = at + mark.length
    if (whole.subarray(start, start + 2).toString() === '--') break
    const next = whole.indexOf(mark, start)
    const end = whole.indexOf('\r\n\r\n', start)
    if (next < 0 || end < 0 || end > next) throw malformed()
    const headers = whole.subarray(start, end).toString('latin1')
    parts.push({ headers, content: whole.subarray(end + 4, next - 2) })
    at = next
  }
  const [first, second] = parts
  if (!first || !second || parts.length !== 2 || !/^content-type:\s*application\/json/im.test(first.headers))
    throw malformed()
  try {
    const metadata: unknown = JSON.parse(first.content.toString('utf8'))
    const mimeType = /^content-type:\s*([^\s;]+)/im.exec(second.headers)?.[1]
    return { metadata, content: new Uint8Array(second.content), mimeType }
  } catch {
    throw malformed()
  }
}
