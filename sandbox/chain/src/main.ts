/** Runs the chain alone: `npm start -w sandbox/chain`, or as a child process of the sandbox. The README lists the variables. */
import { dataFolder, integer, runStandIn } from '@keybay/sandbox-service'
import { type ChainOptions, startChain } from './index.js'

const MAX_PORT = 65_535
const DAY = 86_400_000

/** Reads options from the environment. @throws Error that names a variable with an invalid value */
function optionsFromEnv(env: NodeJS.ProcessEnv, cwd: string): ChainOptions {
  const port = integer(env, 'chain', 'CHAIN_PORT', 8899, [0, MAX_PORT])
  return {
    port,
    ...(env.CHAIN_WS_PORT && { wsPort: integer(env, 'chain', 'CHAIN_WS_PORT', port + 1, [1, MAX_PORT]) }),
    host: env.CHAIN_HOST || '127.0.0.1',
    dataDir: env.CHAIN_DATA_DIR || dataFolder(env, 'chain', cwd),
    slotMs: integer(env, 'chain', 'CHAIN_SLOT_MS', 400, [0, DAY]),
    snapshotMs: integer(env, 'chain', 'CHAIN_SNAPSHOT_MS', 2_000, [10, DAY]),
    historyLimit: integer(env, 'chain', 'CHAIN_HISTORY', 100_000, [100, 10_000_000]),
    finalitySlots: integer(env, 'chain', 'CHAIN_FINALITY_SLOTS', 0, [0, 150]),
    maxAirdropSol: integer(env, 'chain', 'CHAIN_FAUCET_MAX_SOL', 1_000, [1, 1_000_000]),
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
