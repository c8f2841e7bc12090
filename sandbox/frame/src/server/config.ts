/** Reads the options of the frame's host from environment variables; the README lists them. */
import { jsonLog, Variables } from '@keybay/sandbox-service'
import { type Environments, type FrameOptions, readExports } from './index.js'

/**
 * @param readEnvironments with the sandbox's drives, or without
 * @throws Error that names a variable with a wrong value
 */
export function optionsFromEnv(
  env: NodeJS.ProcessEnv,
  readEnvironments: (env: NodeJS.ProcessEnv) => Environments,
): FrameOptions {
  const variables = new Variables(env, 'frame')
  const publicUrl = variables.url('FRAME_PUBLIC_URL', undefined)
  return {
    port: variables.portOrAny('FRAME_PORT', 4200),
    host: env.FRAME_HOST || '127.0.0.1',
    metrics: variables.metrics(),
    ...(publicUrl && { publicUrl }),
    environments: readEnvironments(env),
    exports: readExports(env),
    log: jsonLog(),
  }
}
