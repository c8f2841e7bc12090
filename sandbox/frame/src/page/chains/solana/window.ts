/** Code that only visible frames need: what the user reads about Solana signatures and rules, and the key in the open. */
export { factorFields } from '../../factor/fields.js'
export { setUpPasskey } from '../../factor/set-up.js'
export { askKey, waitForOtherDevice } from '../../screen/arrivals.js'
export { askNewPassword } from '../../screen/passwords.js'
export { showKey } from '../../screen/show-key.js'
export { describeTransaction } from './describe.js'
export { grantAfter, offerGrant } from './grant.js'
export { rulesInWords } from './rules.js'
