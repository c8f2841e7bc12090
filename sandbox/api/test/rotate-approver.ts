/** Runs the work of `npm run rotate-approver`, for tests of other services. */
export { rotateApprover } from '../src/rotate-approver.js'
