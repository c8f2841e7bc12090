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

/**
 * @param {string} name
 * @param {number} port
 * @param {string} about
 * @param {Partial<Service>} [more] what differs from other services
 * @returns {Service}
 */
function define(name, port, about, more) {
  const variable = `${name.toUpperCase()}_PORT`
  return { name, about, folder: `sandbox/${name}`, entry: 'dist/main.js', variable, port, host: 'localhost', ...more }
}

/** @type {readonly Service[]} */
export const services = [
  define('chain', 8899, 'Solana JSON-RPC; websocket one port higher', {
    morePorts: [{ name: 'websocket', offset: 1 }],
  }),
  define('inbox', 4600, 'mail and SMS that the sandbox sent; SMTP 25 ports higher', {
    morePorts: [{ name: 'SMTP', offset: 25 }],
  }),
  define('identity', 4500, 'the social providers, with users to sign in as', { host: 'identity.localhost' }),
  define('custody', 4400, 'key custody over the Turnkey wire protocol'),
  define('api', 4100, 'product API: sign-in, sessions, users', {
    entry: 'dist/sandbox.js',
    host: 'api.app.localhost',
    path: '/api/v0',
  }),
  define('relay', 4300, 'MPC party R1', { path: '/api/v0' }),
  define('relay2', 4301, 'MPC party R2', { folder: 'sandbox/relay', entry: 'dist/main-2.js', path: '/api/v0' }),
  define('frame', 4200, 'the wallet frame, on an origin of its own', {
    entry: 'dist/server/sandbox.js',
    host: 'wallet.localhost',
  }),
  define('phone', 4700, 'Phantom and Solflare as on a phone, by their deep links', {
    folder: 'sandbox/wallets',
    entry: 'dist/phone/server/main.js',
    host: 'phone.localhost',
  }),
  define('app', 4000, 'the host app: open this one', { entry: 'dist/server/main.js', host: 'app.localhost' }),
]
