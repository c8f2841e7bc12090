/** The broadcast channel between the return page and the waiting page, for providers whose page cuts the two apart (COOP). */
export function openChannel(flowId: string): BroadcastChannel {
  return new BroadcastChannel(`keybay:social:${flowId}`)
}
/** Message of the waiting page once it has the response. */
export const RECEIVED = 'received'
