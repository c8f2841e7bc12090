/** Operations that back up, change or bring back a wallet. They load at their first use. */
export { backupKeyShares, backupToGoogleDrive, verifyBackup } from './backup.js'
export { delegateKeyShares } from './delegate.js'
export { addDevice } from './join.js'
export { setPassword, updatePassword, verifyPassword } from './password.js'
export { refreshShares, reshare } from './reshare.js'
export { restoreBackup, restoreFromGoogleDrive } from './restore.js'
export { revokeSet, setPolicy } from './sets.js'
