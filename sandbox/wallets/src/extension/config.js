// Configures how the extension appears. After a change, press “Update” on chrome://extensions. name: in wallet lists.
// ways: 'injected' as window.phantom.solana, 'standard' by Wallet Standard, 'evm' by EIP-6963.
window.keybaySandboxExtension = { name: 'Phantom', ways: ['injected', 'standard', 'evm'] }
