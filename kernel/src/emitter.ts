/** eventemitter3, in a module of its own because `bundle.mjs` builds it. */
export { EventEmitter } from 'eventemitter3'
