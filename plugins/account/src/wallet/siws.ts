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

export const siwsHead = (domain: string, address: string): string =>
  `${domain} wants you to sign in with your Solana account:\n${address}`

export const siwsText = ({ domain, statement, uri, version, nonce, issuedAt }: SiwsFields, address: string): string =>
  `${siwsHead(domain, address)}

${statement}

URI: ${uri}
Version: ${version}
Nonce: ${nonce}
Issued At: ${issuedAt}`

/** One line, so that it cannot look like the fields below it; and short enough for a transaction to hold. */
export const statementOf = (text: string): string => text.replace(/\s+/g, ' ').trim().slice(0, 200)
