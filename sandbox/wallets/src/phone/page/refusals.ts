/** Deep-link wallets' errors, from Phantom's table, to which Solflare refers. https://docs.phantom.com/solana/errors */
const SENTENCES = {
  4001: 'The user rejected the request through the wallet.',
  4100: 'The requested method and/or account has not been authorized by the user.',
  4900: 'The wallet could not connect to the network.',
  '-32000': 'Missing or invalid parameters.',
  '-32002':
    'This error occurs when a dapp attempts to submit a new transaction while an approval dialog is already open.',
  '-32003': 'The wallet does not recognize a valid transaction.',
  '-32601': 'The wallet does not recognize the method.',
  '-32603': 'Something went wrong within the wallet.',
} as const
export type RefusalCode = keyof typeof SENTENCES
export interface Refusal {
  readonly errorCode: string
  readonly errorMessage: string
}
export const REFUSAL_CODES: readonly string[] = Object.keys(SENTENCES)

export function refusal(code: RefusalCode): Refusal {
  return { errorCode: String(code), errorMessage: SENTENCES[code] }
}
/** Returns the error for a code given as text. */
export function getRefusal(code: string): Refusal {
  const [, sentence = SENTENCES['-32603']] = Object.entries(SENTENCES).find(([known]) => known === code) ?? []
  return { errorCode: code, errorMessage: sentence }
}
