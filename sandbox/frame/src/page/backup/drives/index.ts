/** Places for backups that are reached by HTTP: a separate file of the page, which loads with the first backup there. */
export { cloudStore } from './cloud-store.js'
export { DRIVE_SCOPE, googleDrive } from './google-drive.js'
export { withQuery } from './http.js'
export { iCloud, iCloudSignIn } from './icloud.js'
export { canEnterFactor, productApi, registerFrame } from './product-api.js'
