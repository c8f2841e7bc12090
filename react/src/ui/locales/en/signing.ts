/** Texts about the work of an embedded wallet: signatures, and the steps of long operations. */
export const signingMessages = {
  name: 'signing',
  texts: {
    authorise: 'Asking whether this device may',
    backedUp: 'Older copies erased',
    backup: 'Sealing and checking the backup',
    checked: 'Read back, and it opens',
    commit: 'Changing to the new parts',
    confirm: 'Confirming that all parts agree',
    consent: 'Confirm in the wallet’s window.',
    deal: 'Creating the key shares with the service',
    done: 'Old parts erased',
    failed: 'It failed',
    grant: 'Waiting for you in the other window',
    granted: 'Access given',
    running: '{step} …',
    step: 'Step {number}',
    steps: 'Steps',
    succeeded: 'Done',
    upload: 'Sealing and uploading',
    working: 'Your wallet is working …',
  },
} as const
