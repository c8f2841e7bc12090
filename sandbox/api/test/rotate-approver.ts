/** What `npm run rotate-approver` does, for tests of other services. */
export { rotateApprover } from '../src/rotate-approver.js'
