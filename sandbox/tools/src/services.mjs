/** The services that `npm start` runs. To add one, add an entry here. */

/**
 * @typedef {object} Service
 * @property {string} name
 * @property {string} about Description in the table.
 * @property {string} folder Its package, from the root.
 * @property {string} entry The built program, from its folder. It gets its port and KEYBAY_DATA_DIR by environment, keeps
 *   its data in the folder of its name there, and calls `process.send({ type: 'ready' })` once it answers.
 * @property {string} variable The environment variable of its port.
 * @property {number} port The port when the variable is not set.
 * @property {readonly { name: string, offset: number }[]} [morePorts] Other ports that it takes, counted from the port.
 * @property {string} host The name by which a browser reaches it. (Node does not resolve `*.localhost`: services use 127.0.0.1.)
 * @property {string} [path] Of its address; `/` by default.
 * @property {string} [poll] For a program that cannot send the message: the path that answers below 500 once it is ready.
 */

/** @type {readonly Service[]} */
export const services = [
  {
    name: 'chain',
    about: 'Solana JSON-RPC; websocket one port higher',
    folder: 'sandbox/chain',
    entry: 'dist/main.js',
    variable: 'CHAIN_PORT',
    port: 8899,
    morePorts: [{ name: 'websocket', offset: 1 }],
    host: 'localhost',
  },
  {
    name: 'inbox',
    about: 'mail and SMS that the sandbox sent; SMTP 25 ports higher',
    folder: 'sandbox/inbox',
    entry: 'dist/main.js',
    variable: 'INBOX_PORT',
    port: 4600,
    morePorts: [{ name: 'SMTP', offset: 25 }],
    host: 'localhost',
  },
  {
    name: 'identity',
    about: 'the social providers, with users to sign in as',
    folder: 'sandbox/identity',
    entry: 'dist/main.js',
    variable: 'IDENTITY_PORT',
    port: 4500,
    host: 'identity.localhost',
  },
  {
    name: 'custody',
    about: 'key custody over the Turnkey wire protocol',
    folder: 'sandbox/custody',
    entry: 'dist/main.js',
    variable: 'CUSTODY_PORT',
    port: 4400,
    host: 'localhost',
  },
  {
    name: 'api',
    about: 'product API: sign-in, sessions, users',
    folder: 'sandbox/api',
    entry: 'dist/sandbox.js',
    variable: 'API_PORT',
    port: 4100,
    host: 'api.app.localhost',
    path: '/api/v0',
  },
  {
    name: 'relay',
    about: 'MPC party R1',
    folder: 'sandbox/relay',
    entry: 'dist/main.js',
    variable: 'RELAY_PORT',
    port: 4300,
    host: 'localhost',
    path: '/api/v0',
  },
  {
    name: 'relay2',
    about: 'MPC party R2',
    folder: 'sandbox/relay',
    entry: 'dist/main-2.js',
    variable: 'RELAY2_PORT',
    port: 4301,
    host: 'localhost',
    path: '/api/v0',
  },
  {
    name: 'frame',
    about: 'the wallet frame, on an origin of its own',
    folder: 'sandbox/frame',
    entry: 'dist/server/sandbox.js',
    variable: 'FRAME_PORT',
    port: 4200,
    host: 'wallet.localhost',
  },
  {
    name: 'phone',
    about: 'Phantom and Solflare as on a phone, by their deep links',
    folder: 'sandbox/wallets',
    entry: 'dist/phone/server/main.js',
    variable: 'PHONE_PORT',
    port: 4700,
    host: 'phone.localhost',
  },
  {
    name: 'app',
    about: 'the host app: open this one',
    folder: 'sandbox/app',
    entry: 'dist/server/main.js',
    variable: 'APP_PORT',
    port: 4000,
    host: 'app.localhost',
  },
]
