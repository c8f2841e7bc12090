/** Texts about the network and its node. */
export const networkMessages = {
  name: 'network',
  texts: {
    address: 'Address of the node',
    asking: 'Asking the node …',
    inUse: 'In use',
    network: 'Network',
    networksOwn: 'The network’s own nodes',
    notLoaded: 'Your node could not be looked up.',
    remove: 'Remove mine',
    text: 'Balances, transfers and everything else on this page then go through it alone. It must be of this network, which is checked, and it is kept on this device as you write it.',
    title: 'Your own node for {network}',
    use: 'Use this node',
    usesNetworks: '{network} is reached through its own nodes again',
    usesOwn: '{network} is reached through your own node',
    yourNode: 'your node',
  },
} as const
