/**
 * Returns JSON with every bigint as exact digits: `rentEpoch` is u64::MAX, which a JavaScript number cannot hold.
 * @example toJson({ rentEpoch: 18446744073709551615n }) // '{"rentEpoch":18446744073709551615}'
 */
export function toJson(value: unknown): string {
  if (typeof value === 'bigint') return value.toString()
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null'
  if (Array.isArray(value)) return `[${value.map(toJson).join(',')}]`
  const members: string[] = []
  for (const [key, member] of Object.entries(value)) {
    if (member !== undefined) members.push(`${JSON.stringify(key)}:${toJson(member)}`)
  }
  return `{${members.join(',')}}`
}
