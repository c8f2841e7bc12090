/** Version of this package; `npm run changeset version` keeps it equal to package.json. */
export const VERSION = '0.0.0'
