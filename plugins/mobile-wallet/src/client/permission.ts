/**
 * Replaces `navigator.permissions.query` inside the adapter (see `bundle.mjs`). `requireLoopback` has asked for the permission by
 * then; without this the adapter could open dialogs of its own, which load fonts from another host.
 */
export async function assumePermission(): Promise<{ readonly state: PermissionState }> {
  return { state: 'granted' }
}
