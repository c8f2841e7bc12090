/** Transactions travel to a node as base64; they have at most 1232 bytes. */
export const toBase64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes))
