/** Settings that the host needs in production or refuses there. The README lists all variables. */
import { environmentsSetting, publicUrlSetting, type Settings } from '@keybay/sandbox-service/settings'

export const SETTINGS: Settings<object> = {
  FRAME_PUBLIC_URL: publicUrlSetting('https://wallet.acme-keys.example'),
  FRAME_ENVIRONMENTS_FILE: environmentsSetting('the frame would believe whatever relay answers on this machine'),
  IDENTITY_URL: {
    risk: 'no drive is a stand-in',
    value: 'off',
    isNeeded: () => false,
    findProblems: url =>
      url === 'off' ? [] : [' is not off: it stands for drives that everybody can read. Set IDENTITY_URL=off.'],
  },
}
