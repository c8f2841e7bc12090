/** Version of the package; keep it equal to package.json. */
export const VERSION = '1.0.0'
