/** By which the return page reaches the page that waits, where the provider's page has cut one off from the other (COOP). */
export function channelOf(flowId: string): string {
  return `keybay:social:${flowId}`
}
/** What the page that waits says there once it has the answer. */
export const HEARD = 'heard'
