// Sends no message, and leaves the work to a child of its own: found ready by polling, and both must end.
import { spawn } from 'node:child_process'

const server = `require('node:http').createServer((_, response) => response.end('up')).listen(${Number(process.env.SILENT_PORT)}, '127.0.0.1')`
spawn(process.execPath, ['-e', server], { stdio: 'inherit' })
setInterval(() => undefined, 1000)
