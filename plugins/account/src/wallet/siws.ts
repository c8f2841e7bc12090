/** Sign in with Solana: text that a wallet shows and signs. The API parses it with another implementation. */

export interface SiwsFields {
  readonly domain: string
  readonly statement: string
  readonly uri: string
  readonly version: string
  readonly nonce: string
  /** ISO 8601 */
  readonly issuedAt: string
}

export function siwsHead(domain: string, address: string): string {
  return `${domain} wants you to sign in with your Solana account:\n${address}`
}

export function siwsText({ domain, statement, uri, version, nonce, issuedAt }: SiwsFields, address: string): string {
  return `${siwsHead(domain, address)}

${statement}

URI: ${uri}
Version: ${version}
Nonce: ${nonce}
Issued At: ${issuedAt}`
}

/** Returns one line, so that it can't imitate the fields below it, short enough for a transaction. */
export function getStatement(text: string): string {
  return text.replace(/\s+/g, ' ').trim().slice(0, 200)
}
