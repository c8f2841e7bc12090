/** The app of the page “From nothing to a payment” with older tools and other ones, all installed by npm: pays in each. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '@keybay/sandbox-tools/command'
import { followPage } from '@keybay/sandbox-tools/testing/follow-page'
import { preview } from 'vite'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { APP_ORIGINS, install, PAGE, packPackages, pay } from '../src/first-payment.js'
import { startPageSandbox } from '../src/page-sandbox.js'

const ORIGIN = 'http://app.localhost:5173'
const VERSIONS = {
  react: '18.3.1',
  'react-dom': '18.3.1',
  '@types/react': '18.3.31',
  '@types/react-dom': '18.3.7',
  vite: '5.4.21',
  typescript: '5.9.3',
}
const WEBPACK = ['webpack@5', 'webpack-cli@6', 'ts-loader@9', 'css-loader@7', 'style-loader@4']
const WEBPACK_CONFIG = `
const { DefinePlugin } = require('webpack')
module.exports = {
  mode: 'production',
  entry: './src/main.tsx',
  output: { path: __dirname + '/webpack', publicPath: '/' },
  resolve: { extensions: ['.tsx', '.ts', '.js'] },
  module: {
    rules: [
      { test: /\\.tsx?$/, loader: 'ts-loader', options: { compilerOptions: { noEmit: false } } },
      { test: /\\.css$/, use: ['style-loader', 'css-loader'] },
    ],
  },
  // Vite's, which webpack does not have.
  plugins: [new DefinePlugin({ 'import.meta.env.DEV': 'false' })],
}
`

let host: string
let app: string
let sandbox: Awaited<ReturnType<typeof startPageSandbox>>

beforeAll(async () => {
  host = await packPackages()
  const empty = join(host, 'empty')
  app = join(empty, 'first-payment')
  mkdirSync(empty)
  const [vitePart = ''] = PAGE.split('## The same with Next.js')
  await followPage(vitePart, empty, (folder, packages) => install(host, folder, packages, VERSIONS))
  sandbox = await startPageSandbox(APP_ORIGINS)
}, 600_000)
afterAll(async () => {
  await sandbox.stop()
  rmSync(host, { recursive: true, force: true })
})

/** Serves a build, and pays in it. @returns what the page complained about */
async function payIn(outDir: string): Promise<readonly string[]> {
  const server = await preview({
    root: app,
    configFile: false,
    logLevel: 'silent',
    build: { outDir },
    preview: { port: sandbox.getPort(ORIGIN), host: '127.0.0.1', strictPort: true },
  })
  try {
    return await sandbox.visit(ORIGIN, page => pay(page, `${outDir}@example.com`, sandbox.code))
  } finally {
    await server.close()
  }
}

it('“From nothing to a payment” on React 18 and Vite 5, built, signs in and pays, with a clean console', async () => {
  const { version } = JSON.parse(readFileSync(join(app, 'node_modules/react/package.json'), 'utf8'))
  expect(version).toBe(VERSIONS.react)
  expect(await payIn('dist')).toEqual([])
})

it('“From nothing to a payment” on React 18 and webpack, built, signs in and pays, with a clean console', async () => {
  await install(host, app, WEBPACK)
  writeFileSync(join(app, 'webpack.config.cjs'), WEBPACK_CONFIG)
  const webpack = join(app, 'node_modules/webpack/bin/webpack.js')
  const { code, output } = await run(process.execPath, [webpack], { cwd: app, show: false })
  expect([code, code === 0 ? '' : output]).toEqual([0, ''])
  const html = readFileSync(join(app, 'index.html'), 'utf8')
  writeFileSync(join(app, 'webpack/index.html'), html.replace('/src/main.tsx', '/main.js'))
  expect(await payIn('webpack')).toEqual([])
}, 600_000)
