/** Examines deployments in a process of its own, because Node reads NODE_EXTRA_CA_CERTS at its start only. */
import { examine } from '../dist/doctor/index.js'

/** @param {readonly (readonly [import('../src/services.js').ServiceName, import('../src/services.js').Env])[]} environments */
async function answer(environments) {
  process.send?.(await examine(new Map(environments)))
}

process.on('message', answer)
