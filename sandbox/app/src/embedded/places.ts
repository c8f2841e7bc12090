/** Display names and icons of the places that hold a share. */
import type { IconName } from '../design/icons.js'
import type { Place } from './schemes.js'

export const places: {
  readonly [P in Place]: { readonly name: string; readonly icon: IconName; readonly says: string }
} = {
  device: { name: 'Device', icon: 'device', says: 'in the wallet’s own frame, in this browser' },
  backup: { name: 'Backup', icon: 'key', says: 'in your file, sealed by your password or recovery code' },
  service: { name: 'Service', icon: 'host', says: 'at the relay, which signs with you' },
  'second-service': { name: 'Second service', icon: 'host', says: 'at another relay, run apart from the first' },
}
