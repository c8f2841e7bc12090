/**
 * Reads the notes of a transaction as a node lists them: `[12] Thank you all; [2] ab`. The numbers are the notes' lengths
 * in bytes.
 */
export function readMemo(listed: string): string {
  const bytes = new TextEncoder().encode(listed)
  const decode = (start: number, end?: number) => new TextDecoder().decode(bytes.subarray(start, end))
  const notes: string[] = []
  let offset = 0
  while (offset < bytes.length) {
    const [head, length] = /^(?:; )?\[(\d{1,5})\] /.exec(decode(offset, offset + 12)) ?? []
    if (head === undefined) return listed
    const start = offset + head.length
    offset = start + Number(length)
    notes.push(decode(start, offset))
  }
  return notes.join('; ')
}
