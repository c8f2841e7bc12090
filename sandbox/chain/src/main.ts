/** Runs the chain alone: `npm start -w sandbox/chain`, or as a child process of the sandbox. The README lists the variables. */
import { dataFolder, runStandIn, Variables } from '@keybay/sandbox-service'
import { type ChainOptions, startChain } from './index.js'

const DAY = 86_400_000

/** Reads options from the environment. @throws Error that names a variable with an invalid value */
function optionsFromEnv(env: NodeJS.ProcessEnv, cwd: string): ChainOptions {
  const variables = new Variables(env, 'chain')
  const port = variables.portOrAny('CHAIN_PORT', 8899)
  return {
    port,
    ...(env.CHAIN_WS_PORT && { wsPort: variables.port('CHAIN_WS_PORT', port + 1) }),
    host: env.CHAIN_HOST || '127.0.0.1',
    dataDir: env.CHAIN_DATA_DIR || dataFolder(env, 'chain', cwd),
    slotMs: variables.integer('CHAIN_SLOT_MS', 400, [0, DAY]),
    snapshotMs: variables.integer('CHAIN_SNAPSHOT_MS', 2_000, [10, DAY]),
    historyLimit: variables.integer('CHAIN_HISTORY', 100_000, [100, 10_000_000]),
    finalitySlots: variables.integer('CHAIN_FINALITY_SLOTS', 0, [0, 150]),
    maxAirdropSol: variables.integer('CHAIN_FAUCET_MAX_SOL', 1_000, [1, 1_000_000]),
  }
}

await runStandIn(
  'chain',
  'It stands in for Solana, and anyone may print its coins. Use an RPC node of the network.',
  async () => {
    const options = optionsFromEnv(process.env, process.cwd())
    const chain = await startChain(options)
    return {
      url: options.host === '127.0.0.1' ? `http://localhost:${chain.port}` : chain.url,
      stop: () => chain.stop(),
    }
  },
)
