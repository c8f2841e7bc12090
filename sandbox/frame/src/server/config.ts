/** Reads the options of the frame's host from environment variables; the README lists them. */
import { address, integer, jsonLog, readMetricsPlace } from '@keybay/sandbox-service'
import { type Environments, type FrameOptions, readExports } from './index.js'

/**
 * @param readEnvironments with the sandbox's drives, or without
 * @throws Error that names a variable with a wrong value
 */
export function optionsFromEnv(
  env: NodeJS.ProcessEnv,
  readEnvironments: (env: NodeJS.ProcessEnv) => Environments,
): FrameOptions {
  const publicUrl = address(env, 'frame', 'FRAME_PUBLIC_URL', undefined)
  return {
    port: integer(env, 'frame', 'FRAME_PORT', 4200, [0, 65_535]),
    host: env.FRAME_HOST || '127.0.0.1',
    metrics: readMetricsPlace(env, 'frame'),
    ...(publicUrl && { publicUrl }),
    environments: readEnvironments(env),
    exports: readExports(env),
    log: jsonLog(),
  }
}
