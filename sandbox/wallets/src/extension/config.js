// What the extension shows itself as. Change it, then press “Update” on chrome://extensions.
// name: in the lists of wallets. ways: 'injected' as window.phantom.solana, 'standard' by Wallet Standard, 'evm' by EIP-6963.
window.keybaySandboxExtension = { name: 'Phantom', ways: ['injected', 'standard', 'evm'] }
