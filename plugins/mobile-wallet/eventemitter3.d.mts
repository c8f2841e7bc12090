// Resolves the default import of eventemitter3 in the adapter's types; eventemitter3 5.0.4 declares its CommonJS half only.
// biome-ignore lint/style/noDefaultExport: the import that this resolves is a default import
export { EventEmitter, EventEmitter as default } from '../../node_modules/eventemitter3/index.js'
