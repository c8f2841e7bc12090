/** Sign in with Solana: the text that a wallet shows and signs. The API parses it with another implementation. */

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

/** One line, so that it cannot look like the fields below it; and short enough for a transaction to hold. */
export function statementOf(text: string): string {
  return text.replace(/\s+/g, ' ').trim().slice(0, 200)
}
