/** In a module of its own, as the first chunk of a page has it. */

/** S3.1: `walletName` of MPC wallets in a user's credentials. */
export const WAAS_WALLET_NAME = 'dynamicWaas'
