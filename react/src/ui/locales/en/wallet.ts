/** Texts of the wallet's panel, and of receiving. */
export const walletMessages = {
  name: 'wallet',
  texts: {
    activity: 'Activity',
    copyAddress: 'Copy address',
    network: 'Network',
    noAccount: 'No wallet is connected',
    noAccountText: 'Connect a wallet to receive and send.',
    onlyFor: 'Only for {network}.',
    onlyForText: 'What is sent on another network does not arrive here.',
    qr: 'QR code of your address',
    receive: 'Receive',
    send: 'Send',
    wallet: 'Wallet',
    yourAddress: 'Your address',
  },
} as const
