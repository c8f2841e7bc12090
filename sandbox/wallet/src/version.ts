/** The version of every Keybay package of this release; `npm run changeset version` keeps it equal to package.json. */
export const VERSION = '0.1.0'
