/** A frame in plain Node over the relay's public interface: authority, ceremonies by mpc, signatures. */
export * from './create.js'
export * from './delegate.js'
export * from './join.js'
export * from './peer.js'
export * from './request.js'
export * from './reshare.js'
export * from './sign.js'
export * from './wallet.js'
