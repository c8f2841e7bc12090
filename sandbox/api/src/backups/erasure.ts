/** Time for which an erased backup can be got back, in ms. The sweep removes it afterwards. */
export const KEPT_MS: number = 30 * 24 * 60 * 60_000
